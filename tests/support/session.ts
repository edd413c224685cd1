import type { Answer, HttpClient } from './http.js';

/** Headers of a logged-in user. */
export type SessionHeaders = Record<'cookie' | 'x-csrf-token', string>;

export async function signUp(http: HttpClient, body: object): Promise<SessionHeaders> {
  return session(await http.post('/auth/signup', body));
}

export async function logIn(http: HttpClient, body: object): Promise<SessionHeaders> {
  return session(await http.post('/auth/login', body));
}

function session(answer: Answer): SessionHeaders {
  if (answer.status !== 200) throw new Error(`no session: ${answer.status} ${answer.text}`);
  const [cookie = ''] = (answer.headers['set-cookie'] ?? '').split(';', 1);
  return { cookie, 'x-csrf-token': answer.json.csrf_token as string };
}
