/** An answer that is an error, in the server's words. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

interface ErrorAnswer {
  error?: { message: string; request_id: string };
}

let csrfToken = '';

/** Each later call carries the token of this session. */
export function useCsrfToken(token: string): void {
  csrfToken = token;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls the server with the session's cookie. Throws a `Refusal` for any answer that is an error. */
export async function call<Answer>(
  method: Method,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = {
    ...headers,
    // Errors are in the language of the page, not in that of the browser.
    'accept-language': document.documentElement.lang,
    'x-csrf-token': csrfToken,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const request = {
    method,
    headers: sent,
    body: body === undefined ? null : JSON.stringify(body),
  };
  const answer = await fetch(path, request).catch(() => {
    throw new Refusal('The server does not answer. Try again in a moment.', 0);
  });
  const content = (answer.status === 204 ? {} : await answer.json().catch(() => ({}))) as Answer;
  if (answer.ok) return content;
  const { error } = content as ErrorAnswer;
  const message = error
    ? `${error.message} (request ${error.request_id})`
    : `The server answered ${answer.status}.`;
  throw new Refusal(message, answer.status);
}

/**
 * Path of the operator API, of segments that are encoded, with those parameters of a query that are
 * given.
 */
export function operatorPath(
  segments: readonly string[],
  query: Record<string, string | undefined> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => {
    const [, value] = entry;
    return value !== undefined && value !== '';
  });
  const parameters = new URLSearchParams(given).toString();
  const path = ['/operator/v1', ...segments.map(encodeURIComponent)].join('/');
  return parameters === '' ? path : `${path}?${parameters}`;
}
