import com.yahoo.labs.samoa.instances.Instance;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.Classifier;
import moa.options.ClassOption;
import moa.streams.ArffFileStream;

/** Runs an interval learner of MOA over an ARFF file; prints target, low, value, high of each row. */
public class IntervalLearners {
    public static void main(String[] given) throws Exception {
        ArffFileStream stream = new ArffFileStream(given[1], -1);
        stream.prepareForUse();
        AbstractClassifier learner =
            (AbstractClassifier) ClassOption.cliStringToObject(given[0], Classifier.class, null);
        learner.setModelContext(stream.getHeader());
        learner.prepareForUse();
        StringBuilder found = new StringBuilder();
        while (stream.hasMoreInstances()) {
            Instance instance = stream.nextInstance().getData();
            double[] of = learner.getVotesForInstance(instance);
            found.append(instance.classValue());
            for (double each : of) found.append(' ').append(each);
            found.append('\n');
            learner.trainOnInstance(instance);
        }
        System.out.print(found);
    }
}
