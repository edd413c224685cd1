/** Makes the call of one case of `sdks/behaviour.json` with the TypeScript SDK. */
import {
  ApiError,
  ConnectionError,
  type Pages,
  SignatureError,
  TimeoutError,
  verifyWebhook,
  Watchword,
} from '../typescript/src/index.js';

export interface Request {
  client: Record<string, unknown>;
  resource: string;
  method: string;
  path?: string[];
  body?: unknown;
  query?: Record<string, unknown>;
  options?: Record<string, unknown>;
  as?: 'items' | 'page';
  cancelled?: boolean;
  verify?: {
    body: string;
    headers: Record<string, string>;
    secrets: string[];
    toleranceSeconds?: number;
    acceptUntimed?: boolean;
    nowSeconds: number;
  };
}

export async function answerTo(request: Request): Promise<unknown> {
  const sleeps: number[] = [];
  try {
    return { value: (await run(request, sleeps)) ?? null, sleeps };
  } catch (error) {
    return { error: described(error), sleeps };
  }
}

async function run(request: Request, sleeps: number[]): Promise<unknown> {
  if (request.verify) {
    const { body, headers, secrets, nowSeconds, ...options } = request.verify;
    return verifyWebhook(body, headers, secrets, { ...options, now: () => nowSeconds * 1_000 });
  }
  let now = 1_000_000;
  const sleep = (milliseconds: number) => {
    sleeps.push(milliseconds);
    now += milliseconds;
    return Promise.resolve();
  };
  const clock = { now: () => now, random: () => 0, sleep };
  const client = new Watchword({ ...request.client, clock });
  const resource = client[request.resource as keyof Watchword] as unknown as Record<
    string,
    (...values: unknown[]) => unknown
  >;
  const values = [
    ...(request.path ?? []),
    ...(request.body === undefined ? [] : [request.body]),
    ...(request.query === undefined ? [] : [request.query]),
    { ...request.options, ...(request.cancelled && { signal: AbortSignal.abort() }) },
  ];
  const result = resource[request.method]!(...values);
  if (request.as === undefined) return result;
  const pages = result as Pages<unknown>;
  if (request.as === 'page') return pages.page();
  const items: unknown[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

function described(error: unknown): unknown {
  if (error instanceof ApiError) {
    const { name, type, field, status, requestId, retryAfterSeconds, attempts } = error;
    const details = { type, field, status, requestId, retryAfterSeconds, attempts };
    return { kind: 'api', class: name, ...details };
  }
  if (error instanceof ConnectionError) {
    const kind = error instanceof TimeoutError ? 'timeout' : 'connection';
    const hasKey = error.idempotencyKey !== undefined;
    return { kind, class: error.name, attempts: error.attempts, hasKey };
  }
  if (error instanceof SignatureError) return { kind: 'signature', class: error.name };
  return { kind: 'other', message: String(error) };
}
