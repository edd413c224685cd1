import type { HttpClient } from './http.js';

/** The headers of a user who is logged in. */
export type SessionHeaders = Record<'cookie' | 'x-csrf-token', string>;

export async function signUp(http: HttpClient, body: object): Promise<SessionHeaders> {
  const answer = await http.post('/auth/signup', body);
  if (answer.status !== 200) throw new Error(`no session: ${answer.status} ${answer.text}`);
  const [cookie = ''] = (answer.headers['set-cookie'] ?? '').split(';', 1);
  return { cookie, 'x-csrf-token': answer.json.csrf_token as string };
}
