import com.yahoo.labs.samoa.instances.Instance;
import moa.classifiers.Classifier;
import moa.classifiers.active.ALUncertainty;
import moa.core.Utils;
import moa.options.ClassOption;
import moa.streams.ArffFileStream;

/** Runs active learners of MOA, each given with its seed, over a file: predictions, and what is bought. */
public class Asking {
    public static void main(String[] arguments) throws Exception {
        for (int i = 1; i < arguments.length; i++) {
            ArffFileStream stream = new ArffFileStream(arguments[0], -1);
            stream.prepareForUse();
            String[] words = arguments[i].split(" ", 2);
            ALUncertainty learner =
                (ALUncertainty) ClassOption.cliStringToObject(words[1], Classifier.class, null);
            learner.setRandomSeed(Integer.parseInt(words[0]));
            learner.prepareForUse();
            learner.setModelContext(stream.getHeader());
            StringBuilder predicted = new StringBuilder(), bought = new StringBuilder();
            for (int t = 0; stream.hasMoreInstances(); t++) {
                Instance instance = stream.nextInstance().getData();
                predicted.append(Utils.maxIndex(learner.getVotesForInstance(instance))).append(' ');
                learner.trainOnInstance(instance);
                if (learner.getLastLabelAcqReport() > 0) bought.append(t).append(' ');
            }
            System.out.println(predicted + "," + bought);
        }
    }
}
