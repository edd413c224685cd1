/** `watchword login` without a key: a member confirms in the dashboard (RFC 8628). */
import { ApiError, ConnectionError, type ErrorType } from '../../sdks/typescript/src/index.js';
import { reasonOf } from '../../sdks/typescript/src/transport.js';
import { type Context, UsageError } from './command.js';

const LOCAL = 'http://127.0.0.1:3000';
/** Seconds that RFC 8628 adds to the interval for a poll that came too soon. */
const SLOW_DOWN_SECONDS = 5;

interface Started {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

interface Poll {
  status: string;
  key?: string;
}

export async function keyOfDevice(context: Context, given: string | undefined): Promise<string> {
  const { terminal } = context;
  const baseUrl = (given ?? LOCAL).replace(/\/+$/, '');
  if (!/^https?:\/\/[^/]/.test(baseUrl)) {
    throw new UsageError('--base-url must begin with https:// or http://.');
  }
  const client_name = `watchword on ${terminal.hostname}`
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 64);
  const started = await post<Started>(context, `${baseUrl}/auth/device`, { client_name });
  terminal.note(`Open   ${started.verification_uri_complete}`);
  terminal.note(`and check that it shows this code: ${started.user_code}`);
  context.hint(`Waiting for you to confirm, at most ${started.expires_in / 60} minutes.`);
  return waitForKey(context, `${baseUrl}/auth/device/token`, started);
}

async function waitForKey(context: Context, url: string, started: Started): Promise<string> {
  const { terminal } = context;
  const endsAt = terminal.now() + started.expires_in * 1_000;
  let { interval } = started;
  while (terminal.now() < endsAt) {
    await terminal.sleep(interval * 1_000, terminal.signal);
    const { status, key } = await pollOnce(context, url, started.device_code);
    if (key !== undefined) return key;
    if (status === 'access_denied') throw notAllowed('The log-in was denied in the dashboard.');
    if (status === 'expired_token') break;
    if (status === 'slow_down') interval += SLOW_DOWN_SECONDS;
  }
  throw notAllowed('Nobody confirmed in time. Run watchword login again.');
}

/** A lost connection, a limit or a server that restarts ends no log-in: the next poll goes on. */
async function pollOnce(context: Context, url: string, device_code: string): Promise<Poll> {
  try {
    return await post<Poll>(context, url, { device_code });
  } catch (error) {
    if (context.terminal.signal.aborted) throw error;
    if (error instanceof ConnectionError) return { status: 'slow_down' };
    const status = error instanceof ApiError ? (error.status ?? 0) : 0;
    if (status === 429 || status >= 500) return { status: 'slow_down' };
    throw error;
  }
}

async function post<Answer>({ terminal }: Context, url: string, body: object): Promise<Answer> {
  let response: Response;
  let answer: Answer & { error?: { type: ErrorType; message: string; request_id?: string } };
  try {
    response = await terminal.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: terminal.signal,
    });
    answer = JSON.parse(await response.text()) as typeof answer;
  } catch (cause) {
    if (terminal.signal.aborted) throw cause;
    const message = `No complete answer came: ${reasonOf(cause)}`;
    throw new ConnectionError(message, { attempts: 1, cause });
  }
  if (response.ok) return answer;
  const { type = 'internal_error', message = 'The answer is no error of this API.' } =
    answer.error ?? {};
  const requestId = answer.error?.request_id;
  throw new ApiError({ type, message, status: response.status, requestId, attempts: 1 });
}

const notAllowed = (message: string) =>
  new ApiError({ type: 'permission_error', message, status: 403, attempts: 1 });
