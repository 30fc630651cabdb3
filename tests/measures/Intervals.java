import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import moa.core.InstanceExample;
import moa.core.Measurement;
import moa.evaluation.BasicPredictionIntervalEvaluator;
import moa.evaluation.PredictionIntervalPerformanceEvaluator;
import moa.evaluation.WindowPredictionIntervalEvaluator;

/** Feeds MOA's evaluators with lines of target, low, value, high; prints coverage, width, NMPIW. */
public class Intervals {
    public static void main(String[] options) throws Exception {
        List<Attribute> attributes = new ArrayList<>(List.of(new Attribute("x"), new Attribute("y")));
        Instances header = new InstancesHeader(new Instances("given", attributes, 0));
        header.setClassIndex(1);
        BasicPredictionIntervalEvaluator fresh = new BasicPredictionIntervalEvaluator();
        BasicPredictionIntervalEvaluator reset = new BasicPredictionIntervalEvaluator();
        reset.reset();
        WindowPredictionIntervalEvaluator window = new WindowPredictionIntervalEvaluator();
        window.widthOption.setValue(Integer.parseInt(options[0]));
        window.reset();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] of = line.split(" ");
            Instance instance = new DenseInstance(1.0, new double[] {0.0, Double.parseDouble(of[0])});
            instance.setDataset(header);
            double[] found = new double[3];
            for (int i = 0; i < 3; i++) found[i] = Double.parseDouble(of[i + 1]);
            for (PredictionIntervalPerformanceEvaluator one : List.of(fresh, reset, window)) {
                one.addResult(new InstanceExample(instance), found);
            }
        }
        for (PredictionIntervalPerformanceEvaluator one : List.of(fresh, reset, window)) {
            StringBuilder shown = new StringBuilder();
            for (Measurement each : one.getPerformanceMeasurements()) {
                String name = each.getName();
                if (name.equals("coverage") || name.equals("average length") || name.equals("NMPIW")) {
                    shown.append(each.getValue()).append(' ');
                }
            }
            System.out.println(shown.toString().trim());
        }
    }
}
