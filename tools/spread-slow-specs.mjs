/** The order in which Jest begins the files of tests. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { root } from './set-up.mjs';

/** Files that take one to three minutes. */
const SLOW = [
  'tests/faults/deaths.spec.ts',
  'tests/faults/back-up.spec.ts',
  'tests/cost/message-cost.spec.ts',
  'tests/faults/checker.spec.ts',
  'apps/all-in-one/test/start-and-stop.spec.ts',
];
const gone = SLOW.find((file) => !existsSync(join(root, file)));
if (gone) throw new Error(`${gone} does not exist: change the list in tools/spread-slow-specs.mjs`);

/** The slow files begin within this first part of the run. */
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
