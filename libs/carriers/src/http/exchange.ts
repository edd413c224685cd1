import type { Dispatcher } from 'undici';

/**
 * A request and its answer. The kinds differ in the question that matters for money: can the
 * carrier have seen it?
 */
export type ExchangeResult =
  /** No byte was written: the carrier has certainly not seen it. */
  | { kind: 'unsent'; code: string }
  /** It was written and no status came back: the carrier may have seen it. */
  | { kind: 'unanswered'; code: string }
  /** `body` is null when it was cut off or larger than the limit. */
  | {
      kind: 'answered';
      status: number;
      retryAfter: string | null;
      /** AWS's error type, which comes in a header. */
      errorType: string | null;
      body: string | null;
    };

/** Bytes. No carrier's answer to one message comes near it; the rest is not read. */
const BODY_BYTES_MAX = 64 * 1_024;

/** `rawCode` of an exchange that ended at its deadline. */
const DEADLINE_CODE = 'DEADLINE';

/**
 * An undici handler with one deadline over waiting, connecting, headers and body. undici calls
 * `onRequestStart` right before it writes: before that nothing has left, after it something may
 * have. A request whose deadline passes while it waits for a connection is never written.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private controller: Dispatcher.DispatchController | null = null;
  private bytes = 0;
  private status = 0;
  private retryAfter: string | null = null;
  private errorType: string | null = null;
  private settled = false;

  constructor(
    deadlineMs: number,
    private readonly resolve: (result: ExchangeResult) => void,
  ) {
    this.timer = setTimeout(() => this.cutOff(DEADLINE_CODE), deadlineMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) controller.abort(new Error('The deadline passed before the request left.'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.status = status;
    const retryAfter = headers['retry-after'];
    this.retryAfter = typeof retryAfter === 'string' ? retryAfter : null;
    const errorType = headers['x-amzn-errortype'];
    this.errorType = typeof errorType === 'string' ? errorType : null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > BODY_BYTES_MAX) this.cutOff('BODY_TOO_LARGE');
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.settleAnswered(this.wholeBody());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settleCutOff((error as NodeJS.ErrnoException).code ?? error.name);
  }

  /** Ends the exchange and closes its connection. */
  private cutOff(code: string): void {
    this.settleCutOff(code);
    this.controller?.abort(new Error(code));
  }

  /** Settles an answer without its body. The status is still useful: a 503 is a refusal. */
  private settleCutOff(code: string): void {
    if (this.status >= 200) this.settleAnswered(null);
    else this.settle({ kind: this.controller === null ? 'unsent' : 'unanswered', code });
  }

  private settleAnswered(body: string | null): void {
    const { status, retryAfter, errorType } = this;
    this.settle({ kind: 'answered', status, retryAfter, errorType, body });
  }

  private settle(result: ExchangeResult): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    this.resolve(result);
  }

  private wholeBody(): string {
    const [first] = this.chunks;
    if (first === undefined) return '';
    return (this.chunks.length === 1 ? first : Buffer.concat(this.chunks)).toString('utf8');
  }
}
