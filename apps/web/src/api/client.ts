import createClient, { type Middleware } from 'openapi-fetch';
import type { components as DashboardParts, paths as DashboardPaths } from './dashboard.generated';
import type { components as OperatorParts, paths as OperatorPaths } from './operator.generated';
import type { components as V1Parts, paths as V1Paths } from './v1.generated';

/** Schemas of the OpenAPI documents. */
export type Dashboard = DashboardParts['schemas'];
export type Operator = OperatorParts['schemas'];
export type V1 = V1Parts['schemas'];

/** Statuses of codes, texts and emails. */
export type MessageStatus = NonNullable<
  NonNullable<DashboardPaths['/dashboard/search']['get']['parameters']['query']>['status']
>;

export type Mode = 'live' | 'test';

/** What every call sends, besides its own parameters. */
export const context = { csrfToken: '', mode: 'live' as Mode, language: 'en' };

const SAFE = new Set(['GET', 'HEAD']);

const common: Middleware = {
  onRequest({ request }) {
    request.headers.set('accept-language', context.language);
    if (!SAFE.has(request.method)) request.headers.set('x-csrf-token', context.csrfToken);
    return request;
  },
};

const MODE_HEADER = 'x-watchword-mode';

/** Returns the header of a call in its object's mode, which may differ from the page's. */
export function inModeOf({ test_mode: isTest }: { test_mode: boolean }): Record<string, string> {
  return { [MODE_HEADER]: isTest ? 'test' : 'live' };
}

/** A session reaches the routes for keys in the mode that it names. */
const inMode: Middleware = {
  onRequest({ request }) {
    if (!request.headers.has(MODE_HEADER)) request.headers.set(MODE_HEADER, context.mode);
    return request;
  },
};

/** Reading what is hidden is recorded under the operator's name, so it needs the token, too. */
const asOperator: Middleware = {
  onRequest({ request }) {
    request.headers.set('x-csrf-token', context.csrfToken);
    return request;
  },
};

export const dashboard = createClient<DashboardPaths>({ baseUrl: location.origin });
export const operator = createClient<OperatorPaths>({ baseUrl: location.origin });
export const v1 = createClient<V1Paths>({ baseUrl: location.origin });
dashboard.use(common);
operator.use(common, asOperator);
v1.use(common, inMode);

/** An answer that is no success. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly field: string | undefined,
    readonly requestId: string | undefined,
  ) {
    super(message);
  }
}

interface ErrorBody {
  error?: { type?: string; message?: string; field?: string; request_id?: string };
}

/** Returns the answer of a call, or throws a refusal. */
export async function answerOf<Answer>(
  call: Promise<{ data?: Answer; error?: unknown; response: Response }>,
): Promise<Answer> {
  const { data, error, response } = await call;
  if (response.ok) return data as Answer;
  const body = (error as ErrorBody | undefined)?.error;
  throw new Refusal(
    response.status,
    body?.type ?? 'unknown',
    body?.message ?? `HTTP ${response.status}`,
    body?.field,
    body?.request_id,
  );
}

/** Where a click can be repeated after an error, the repetition has the same key. */
export function newKey(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': crypto.randomUUID() };
}
