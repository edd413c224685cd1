import type { Dispatcher } from 'undici';

/**
 * One request and its answer, told apart by the only question that matters for money: can the
 * carrier have seen it?
 */
export type ExchangeResult =
  /** No byte was written: certainly not seen. */
  | { kind: 'unsent'; code: string }
  /** Written, and no status came back: may have been seen. */
  | { kind: 'unanswered'; code: string }
  /** `body` is null when it was cut off or larger than the cap. */
  | {
      kind: 'answered';
      status: number;
      retryAfter: string | null;
      /** Of AWS, which names its errors in a header. */
      errorType: string | null;
      body: string | null;
    };

/** No carrier's answer to one message is near this; what is larger is not read. */
const BODY_BYTES_MAX = 64 * 1_024;

/** `rawCode` of an exchange that its deadline ended. */
const DEADLINE_CODE = 'DEADLINE';

/**
 * An undici handler under one deadline over waiting, connecting, headers and body. undici calls
 * `onRequestStart` immediately before it writes: until then nothing has left, from then on it may
 * have. A request whose deadline passes while it still waits for a connection is never written.
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

  /** Ends the exchange from our side; the connection is of no more use. */
  private cutOff(code: string): void {
    this.settleCutOff(code);
    this.controller?.abort(new Error(code));
  }

  /** Without its body an answer is still worth its status: a 503 is a refusal all the same. */
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
