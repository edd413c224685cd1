/** The order in which Jest begins the files of tests. */
import Sequencer from '@jest/test-sequencer';

/** Files that take one to three minutes, of which they wait the most. */
const SLOW = [
  'tests/faults/crash.spec.ts',
  'tests/faults/batch-kill.spec.ts',
  'tests/faults/back-up.spec.ts',
  'tests/cost/message-cost.spec.ts',
  'tests/faults/kill.spec.ts',
  'tests/faults/checker.spec.ts',
  'apps/all-in-one/test/start-and-stop.spec.ts',
];
/** The last slow file begins before this share of all files. */
const SHARE = 0.6;

/** Spreads the slow files: two at a time would slow each other down, and one at the end would run alone. */
export default class SpreadSlowSpecs extends Sequencer {
  sort(tests) {
    const placeOf = ({ path }) => SLOW.findIndex((slow) => path.endsWith(slow));
    const sorted = super.sort(tests);
    const slow = sorted
      .filter((test) => placeOf(test) >= 0)
      .toSorted((one, other) => placeOf(one) - placeOf(other));
    const order = sorted.filter((test) => placeOf(test) < 0);
    const apart = Math.floor((order.length * SHARE) / Math.max(1, slow.length));
    slow.forEach((test, index) => order.splice(index * (apart + 1), 0, test));
    return order;
  }
}
