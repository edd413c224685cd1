import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeDelivery } from './delivery.kit.js';
import { describeFailures } from './failures.kit.js';
import { BusEnvironment, type BusSystem } from './environment.kit.js';
import { describeRedelivery } from './redelivery.kit.js';
import { describeTransactions } from './transactions.kit.js';

/** Tests of the guarantees in `bus.port.ts`. Every adapter must pass them. */
export function describeBusContract(name: string, start: () => Promise<BusSystem>): void {
  describe(`the bus contract: ${name}`, () => {
    const environment = new BusEnvironment(start);

    beforeAll(() => environment.start());
    afterAll(() => environment.stop());

    describeDelivery(environment);
    describeTransactions(environment);
    describeRedelivery(environment);
    describeFailures(environment);
  });
}
