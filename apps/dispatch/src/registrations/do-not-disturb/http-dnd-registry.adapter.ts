import type { Clock } from '@watchword/contracts';
import { counter, type Logger } from '@watchword/observability';
import { OnceAMinute } from '@watchword/platform';
import { Pool } from 'undici';
import type { DndRegistry } from './dnd-registry.port.js';

export interface HttpDndRegistryOptions {
  readonly url: string;
  /** Bearer token; empty for none. */
  readonly token: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds for an answer. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 300;
const CALLS_MAX = 16;
const ANSWER_BYTES_MAX = 65_536;
const UNAVAILABLE = 'DND registry unavailable, SMS are sent unchecked';
const NONE: ReadonlySet<string> = new Set();

const countLookup = counter(
  'watchword_dnd_lookups_total',
  'Questions to the Do Not Disturb registry; messages pass one that failed.',
  { outcome: ['answered', 'failed'] },
);

/**
 * `POST {"numbers": []}` answers `{"listed": []}`. A registry that does not answer within 300 ms,
 * or answers anything else, lists no number: sends continue.
 */
export class HttpDndRegistry implements DndRegistry {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  private readonly lines: OnceAMinute;
  private readonly timeoutMs: number;

  constructor(private readonly options: HttpDndRegistryOptions) {
    const { origin, pathname, search } = new URL(options.url);
    this.path = pathname + search;
    this.lines = new OnceAMinute(options.clock);
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.pool = new Pool(origin, {
      connections: CALLS_MAX,
      pipelining: 1,
      connectTimeout: this.timeoutMs,
    });
    const authorization =
      options.token === '' ? undefined : { authorization: `Bearer ${options.token}` };
    this.headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...authorization,
    };
  }

  async listed(numbers: readonly string[]): Promise<ReadonlySet<string>> {
    if (numbers.length === 0) return NONE;
    try {
      const listed = await this.ask(numbers);
      countLookup({ outcome: 'answered' });
      return new Set(listed);
    } catch (error) {
      countLookup({ outcome: 'failed' });
      this.warn(error);
      return NONE;
    }
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  private async ask(numbers: readonly string[]): Promise<string[]> {
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: this.path,
      headers: this.headers,
      body: JSON.stringify({ numbers }),
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
      chunks.push(chunk);
    }
    if (statusCode !== 200) throw new Error(`the registry answers ${statusCode}`);
    return readListed(Buffer.concat(chunks).toString());
  }

  private warn(error: unknown): void {
    if (!this.lines.isDue(UNAVAILABLE)) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.options.logger.warn({ reason }, UNAVAILABLE);
  }
}

function readListed(text: string): string[] {
  const answer = parsed(text) as { listed?: unknown } | null;
  const listed = answer?.listed;
  if (!Array.isArray(listed) || !listed.every((one) => typeof one === 'string')) {
    throw new Error('the answer has no list of numbers');
  }
  return listed;
}

/** Parses the answer. The parser's own error would quote it, and it can hold numbers. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
