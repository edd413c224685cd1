import { parentPort } from 'node:worker_threads';
import { composeEmail } from './compose.js';
import type { ComposeOrder } from './compose.js';

export interface ComposeJob {
  readonly number: number;
  readonly order: ComposeOrder;
}

export type ComposeAnswer =
  | { readonly number: number; readonly message: Uint8Array<ArrayBuffer> }
  | { readonly number: number; readonly message?: undefined; readonly problem: string };

const port = parentPort!;

port.on('message', ({ number, order }: ComposeJob) => {
  composeEmail(order).then(
    (composed) => {
      // A copy of its own, because the buffer may be part of a pool that must not move.
      const message = new Uint8Array(composed);
      port.postMessage({ number, message } satisfies ComposeAnswer, [message.buffer]);
    },
    (error: Error) => port.postMessage({ number, problem: error.message } satisfies ComposeAnswer),
  );
});
