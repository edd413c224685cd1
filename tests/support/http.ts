import { Pool } from 'undici';

/** A plain client for black-box tests: any answer is an answer, nothing throws but a broken connection. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Parsed body; undefined when it is empty or not JSON. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  json: any;
}

export interface Send {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent as it is, instead of `body`. */
  raw?: string;
}

export class HttpClient {
  readonly baseUrl: string;
  private readonly pool: Pool;

  constructor(baseUrl: string, connections = 64) {
    this.baseUrl = baseUrl;
    this.pool = new Pool(baseUrl, { connections });
  }

  get = (path: string, send: Send = {}) => this.request('GET', path, send);
  post = (path: string, body?: unknown, send: Send = {}) =>
    this.request('POST', path, { ...send, body });
  put = (path: string, body?: unknown, send: Send = {}) =>
    this.request('PUT', path, { ...send, body });
  patch = (path: string, body?: unknown, send: Send = {}) =>
    this.request('PATCH', path, { ...send, body });
  delete = (path: string, send: Send = {}) => this.request('DELETE', path, send);

  async request(method: string, path: string, send: Send = {}): Promise<Answer> {
    const body = send.raw ?? (send.body === undefined ? undefined : JSON.stringify(send.body));
    const response = await this.pool.request({
      method: method as 'GET',
      path,
      headers: {
        ...(send.key ? { authorization: `Bearer ${send.key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...send.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      headers: flatten(response.headers),
      text,
      json: parse(text),
    };
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
