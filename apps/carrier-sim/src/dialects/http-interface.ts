/** What the HTTP interfaces of several carriers have in common. */
import { parse } from 'node:querystring';
import type { FastifyInstance } from 'fastify';

export type Fields = Readonly<Record<string, unknown>>;

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

const READERS = { [JSON_TYPE]: objectOf, [FORM_TYPE]: (body: string): Fields => parse(body) };

/** Takes bodies of these types alone. */
export function acceptBodies(
  scope: FastifyInstance,
  ...types: ReadonlyArray<keyof typeof READERS>
): void {
  scope.removeAllContentTypeParsers();
  for (const type of types) {
    scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) => {
      done(null, READERS[type](body as string));
    });
  }
}

/** Returns undefined unless it is a JSON object. The route answers that in the carrier's words. */
function objectOf(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** Where nothing is signed, the proof is the last segment of the path. A forger must guess it. */
export function forgedUrl(callbackUrl: string): string {
  const url = new URL(callbackUrl);
  url.pathname = url.pathname.replace(/[^/]+\/?$/, 'forged');
  return url.href;
}

/** Returns `2026-11-20 08:00:00`, in UTC. */
export function dateTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns YYMMDDhhmm in UTC. */
export function compactTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(2, 16).replaceAll(/[-:T]/g, '');
}
