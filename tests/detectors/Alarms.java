import java.io.BufferedReader;
import java.io.InputStreamReader;
import moa.classifiers.core.driftdetection.ChangeDetector;
import moa.options.AbstractOptionHandler;
import moa.options.ClassOption;

/** Feeds each detector of MOA that is named with the numbers of a line; prints its alarms. */
public class Alarms {
    public static void main(String[] detectors) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] numbers = line.split(" ");
            for (String name : detectors) {
                ChangeDetector detector =
                    (ChangeDetector) ClassOption.cliStringToObject(name, ChangeDetector.class, null);
                ((AbstractOptionHandler) detector).prepareForUse();
                StringBuilder warnings = new StringBuilder(), changes = new StringBuilder();
                for (int t = 0; t < numbers.length; t++) {
                    detector.input(Double.parseDouble(numbers[t]));
                    if (detector.getWarningZone()) warnings.append(t).append(' ');
                    if (detector.getChange()) changes.append(t).append(' ');
                }
                System.out.println(warnings + "," + changes);
            }
        }
    }
}
