import type { Dispatcher } from 'undici';
import type { AttemptOutcome } from './delivery.js';

/** Bytes of an answer that are kept. The rest is not read. */
const RESPONSE_BYTES_MAX = 16 * 1_024;

/** Descriptions of failures. They reveal nothing about addresses, or about ports behind them. */
const TIMED_OUT = 'The receiver did not answer in time.';
const NOT_CONNECTED = 'The connection could not be established.';
const TLS_REFUSED = 'The TLS certificate or handshake could not be accepted.';
const NOT_HTTP = 'The answer is not valid HTTP.';
const CUT_OFF = 'The connection was closed before the answer was complete.';
const REDIRECTED = 'Redirects are not followed.';

const TLS_CODES = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;
const NOT_HTTP_CODES = /^(?:HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/;

export interface ExchangeEnd {
  readonly outcome: AttemptOutcome;
  /** Whether a request was written and the connection ended without a status. */
  readonly droppedUnanswered: boolean;
}

/**
 * One POST and its answer: an undici handler with one deadline over waiting, connecting, headers
 * and body. It stops reading at the limit. An aborted exchange closes its socket.
 */
export class WebhookExchange implements Dispatcher.DispatchHandler {
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private controller: Dispatcher.DispatchController | null = null;
  private bytes = 0;
  private status: number | null = null;
  private retryAfter: string | null = null;
  private settled = false;

  constructor(
    deadlineMs: number,
    private readonly resolve: (end: ExchangeEnd) => void,
  ) {
    this.timer = setTimeout(() => this.passDeadline(), deadlineMs);
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAt;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) controller.abort(new Error('the deadline passed before the request left'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    const retryAfter = headers['retry-after'];
    this.retryAfter = typeof retryAfter === 'string' ? retryAfter : null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    const bytesLeft = RESPONSE_BYTES_MAX - this.bytes;
    // Copied, because the chunk is a view of a buffer that undici reuses.
    this.chunks.push(Buffer.from(chunk.subarray(0, bytesLeft)));
    this.bytes += chunk.length;
    if (chunk.length > bytesLeft) this.stopReading();
  }

  onResponseEnd(): void {
    this.settle(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const code = (error as NodeJS.ErrnoException).code ?? error.name;
    const dropped = this.controller !== null && this.status === null;
    this.settle(wordsFor(code, this.controller !== null), dropped);
  }

  private stopReading(): void {
    this.settle(null);
    this.controller?.abort(new Error('the answer is larger than what is kept'));
  }

  private passDeadline(): void {
    this.settle(TIMED_OUT);
    this.controller?.abort(new Error('the deadline passed'));
  }

  private settle(error: string | null, droppedUnanswered = false): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    const redirected = this.status !== null && this.status >= 300 && this.status < 400;
    const outcome: AttemptOutcome = {
      statusCode: this.status,
      retryAfter: this.retryAfter,
      responseBody: this.status === null ? null : readable(this.chunks),
      error: error ?? (redirected ? REDIRECTED : null),
      latencyMs: Math.round(this.elapsedMs),
    };
    this.resolve({ outcome, droppedUnanswered });
  }
}

function wordsFor(code: string, connected: boolean): string {
  if (TLS_CODES.test(code)) return TLS_REFUSED;
  if (!connected) return NOT_CONNECTED;
  return NOT_HTTP_CODES.test(code) ? NOT_HTTP : CUT_OFF;
}

/** Returns text that PostgreSQL can store, which has no NUL. */
function readable(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return bytes.toString('utf8').replaceAll('\0', '\u{FFFD}');
}
