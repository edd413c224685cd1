import { parentPort } from 'node:worker_threads';
import { composeEmail } from './compose.js';
import type { ComposeOrder } from './compose.js';
import { textFromHtml } from './text-from-html.js';

export type ComposeTask =
  | { readonly make: 'message' | 'size'; readonly order: ComposeOrder }
  | { readonly make: 'text'; readonly html: string };

export interface ComposeJob {
  readonly number: number;
  readonly task: ComposeTask;
}

type Made =
  | { readonly message: Uint8Array<ArrayBuffer> }
  | { readonly size: number }
  | { readonly text: string };

export type ComposeAnswer = { readonly number: number } & (Made | { readonly problem: string });

const port = parentPort!;

port.on('message', ({ number, task }: ComposeJob) => {
  made(task).then(
    (result) => answer({ number, ...result }, 'message' in result ? [result.message.buffer] : []),
    (error: Error) => answer({ number, problem: error.message }),
  );
});

async function made(task: ComposeTask): Promise<Made> {
  if (task.make === 'text') return { text: await textFromHtml(task.html) };
  const composed = await composeEmail(task.order);
  if (task.make === 'size') return { size: composed.length };
  // Copied, because the buffer may be part of a pool that must not be transferred.
  return { message: new Uint8Array(composed) };
}

function answer(said: ComposeAnswer, moved: ArrayBuffer[] = []): void {
  port.postMessage(said, moved);
}
