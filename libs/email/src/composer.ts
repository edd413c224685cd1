import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ComposeOrder } from './compose.js';
import type { ComposeAnswer, ComposeJob, ComposeTask } from './compose.worker.js';
import { textFromHtml } from './text-from-html.js';

interface Job {
  readonly task: ComposeTask;
  readonly resolve: (answer: ComposeAnswer) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Jobs by number, answered in any order. */
  readonly jobs: Map<number, Job>;
}

/** Orders that a thread has beside the one it works at, so that it never waits for the next. */
const JOBS_PER_THREAD = 4;
const THREADS_MAX = 4;
/** Characters. HTML up to this length is converted in a few milliseconds. */
const SHORT_HTML_MAX = 16_384;
/** The same path from the sources and from the compiled files. */
const program = new URL('../dist/compose.worker.js', import.meta.url);

export class ComposerClosed extends Error {}

/** The content can never become a message. */
export class UnsendableContent extends Error {}

/**
 * Composes and signs emails in threads. A signature takes a millisecond of CPU, which would block
 * the event loop. Threads start with the first order and do not keep a process alive.
 */
export class EmailComposer {
  private readonly threads: Thread[] = [];
  private readonly waiting: Job[] = [];
  private readonly threadsMax: number;
  private number = 0;
  private closed = false;

  constructor({ threads = Math.max(1, availableParallelism() - 1) } = {}) {
    this.threadsMax = Math.min(threads, THREADS_MAX);
  }

  /**
   * Returns the whole message, signed. Rejects with `UnsendableContent` for content that the API
   * must have refused.
   */
  async compose(order: ComposeOrder): Promise<Buffer> {
    const answer = await this.work({ make: 'message', order });
    return Buffer.from((answer as { message: Uint8Array<ArrayBuffer> }).message.buffer);
  }

  /** Returns the size of the finished message in bytes, without its signature. */
  async sizeOf(order: Omit<ComposeOrder, 'dkim'>): Promise<number> {
    const answer = await this.work({ make: 'size', order: { ...order, dkim: null } });
    return (answer as { size: number }).size;
  }

  /** Returns the text of an email with this HTML and no separate text. */
  async textOf(html: string): Promise<string> {
    if (html.length <= SHORT_HTML_MAX) return textFromHtml(html);
    const answer = await this.work({ make: 'text', html });
    return (answer as { text: string }).text;
  }

  private work(task: ComposeTask): Promise<ComposeAnswer> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new ComposerClosed('The composer is closed.'));
      this.waiting.push({ task, resolve, reject });
      this.next();
    });
  }

  /** Stops the threads. Open orders fail. */
  async close(): Promise<void> {
    this.closed = true;
    const threads = this.threads.splice(0);
    const left = [...this.waiting.splice(0), ...threads.flatMap(({ jobs }) => [...jobs.values()])];
    for (const { reject } of left) reject(new ComposerClosed('The composer is closed.'));
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  private next(): void {
    while (this.waiting.length > 0) {
      const thread = this.leastBusy();
      if (thread === null) return;
      const job = this.waiting.shift()!;
      const number = ++this.number;
      thread.jobs.set(number, job);
      thread.worker.postMessage({ number, task: job.task } satisfies ComposeJob);
    }
  }

  /** Returns null when every thread has enough jobs. */
  private leastBusy(): Thread | null {
    const [idlest] = this.threads.toSorted((one, other) => one.jobs.size - other.jobs.size);
    if (idlest?.jobs.size === 0) return idlest;
    if (this.threads.length < this.threadsMax) return this.start();
    return idlest && idlest.jobs.size < JOBS_PER_THREAD ? idlest : null;
  }

  private start(): Thread {
    const worker = new Worker(program);
    const thread: Thread = { worker, jobs: new Map() };
    worker.unref();
    worker.on('message', (answer: ComposeAnswer) => {
      const job = thread.jobs.get(answer.number)!;
      thread.jobs.delete(answer.number);
      if ('problem' in answer) job.reject(new UnsendableContent(answer.problem));
      else job.resolve(answer);
      this.next();
    });
    const died = (error: Error) => this.bury(thread, error);
    worker.on('error', died).on('exit', () => died(new Error('The composing thread ended.')));
    this.threads.push(thread);
    return thread;
  }

  /** Removes a dead thread. The next order starts another one. */
  private bury(thread: Thread, error: Error): void {
    const index = this.threads.indexOf(thread);
    if (index < 0) return;
    this.threads.splice(index, 1);
    for (const { reject } of thread.jobs.values()) reject(error);
    this.next();
  }
}
