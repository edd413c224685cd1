import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeDelivery } from './delivery.kit.js';
import { describeFailures } from './failures.kit.js';
import { BusGround, type BusSystem } from './ground.kit.js';
import { describeRedelivery } from './redelivery.kit.js';
import { describeTransactions } from './transactions.kit.js';

/** Tests of the guarantees in `bus.port.ts`. Every adapter must pass them. */
export function describeBusContract(name: string, start: () => Promise<BusSystem>): void {
  describe(`the bus contract: ${name}`, () => {
    const ground = new BusGround(start);

    beforeAll(() => ground.start());
    afterAll(() => ground.stop());

    describeDelivery(ground);
    describeTransactions(ground);
    describeRedelivery(ground);
    describeFailures(ground);
  });
}
