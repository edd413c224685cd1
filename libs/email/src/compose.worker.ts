import { parentPort } from 'node:worker_threads';
import { composeEmail } from './compose.js';
import type { ComposeOrder } from './compose.js';

export interface ComposeJob {
  readonly number: number;
  readonly order: ComposeOrder;
  /** Whether only the size of the message is needed. */
  readonly isSizeOnly: boolean;
}

export type ComposeAnswer =
  | { readonly number: number; readonly message: Uint8Array<ArrayBuffer> }
  | { readonly number: number; readonly size: number }
  | { readonly number: number; readonly problem: string };

const port = parentPort!;

port.on('message', ({ number, order, isSizeOnly }: ComposeJob) => {
  composeEmail(order).then(
    (composed) => {
      if (isSizeOnly) return answer({ number, size: composed.length });
      // Copied, because the buffer may be part of a pool that must not be transferred.
      const message = new Uint8Array(composed);
      answer({ number, message }, [message.buffer]);
    },
    (error: Error) => answer({ number, problem: error.message }),
  );
});

function answer(said: ComposeAnswer, moved: ArrayBuffer[] = []): void {
  port.postMessage(said, moved);
}
