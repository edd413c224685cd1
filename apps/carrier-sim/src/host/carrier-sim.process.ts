/**
 * Runs the carrier simulator as its own process, so that it does not use our event loop. It gets
 * its options as a message, answers with its address, and ends with its parent.
 */
import { startCarrierSim } from '../start-carrier-sim.js';
import type { CarrierSim, CarrierSimOptions } from '../start-carrier-sim.js';

export type CarrierSimAnswer = Omit<CarrierSim, 'close'> | { code: string; message: string };

process.once('disconnect', () => process.exit(0));
process.once('message', (options: CarrierSimOptions) => {
  startCarrierSim(options).then(
    ({ url, smtp, smpp, dns }) =>
      process.send?.({ url, smtp, ...(smpp && { smpp }), dns } satisfies CarrierSimAnswer),
    (error: NodeJS.ErrnoException) => {
      const { code = '', message } = error;
      process.send?.({ code, message } satisfies CarrierSimAnswer);
    },
  );
});
