// Plays a stream to one of MOA's learners, each instance predicted and then learnt, and measures
// the learner alone: instances are read a thousand at a time, while the clock stands still. Prints
// the seconds of CPU time that it took, and its number of correct predictions.
//
//     java -cp moa.jar Play.java "trees.HoeffdingTree" "ArffFileStream -f stream.arff" 100000

import com.yahoo.labs.samoa.instances.Instance;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import moa.classifiers.Classifier;
import moa.core.Utils;
import moa.options.ClassOption;
import moa.options.OptionHandler;
import moa.streams.ExampleStream;

public class Play {
    static final int TOGETHER = 1000;

    public static void main(String[] words) throws Exception {
        Classifier learner = (Classifier) made(words[0], Classifier.class);
        ExampleStream<?> stream = (ExampleStream<?>) made(words[1], ExampleStream.class);
        int left = Integer.parseInt(words[2]);
        ((OptionHandler) stream).prepareForUse();
        learner.setModelContext(stream.getHeader());
        learner.prepareForUse();
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        Instance[] instances = new Instance[TOGETHER];
        long spent = 0;
        int right = 0;
        while (left > 0) {
            int n = 0;
            while (n < Math.min(TOGETHER, left)) {
                instances[n++] = (Instance) stream.nextInstance().getData();
            }
            long begun = clock.getCurrentThreadCpuTime();
            right += play(learner, instances, n);
            spent += clock.getCurrentThreadCpuTime() - begun;
            left -= n;
        }
        System.out.println(spent / 1e9 + " " + right);
    }

    static Object made(String words, Class<?> type) throws Exception {
        return ClassOption.cliStringToObject(words, type, null);
    }

    static int play(Classifier learner, Instance[] instances, int n) {
        int right = 0;
        for (int i = 0; i < n; i++) {
            double[] votes = learner.getVotesForInstance(instances[i]);
            if (Utils.maxIndex(votes) == (int) instances[i].classValue()) {
                right++;
            }
            learner.trainOnInstance(instances[i]);
        }
        return right;
    }
}
