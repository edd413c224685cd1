import { randomInt, randomUUID } from 'node:crypto';
import type { Answer } from './http.ts';
import type { RunningSystem } from './system.ts';

export const PASSWORD = 'correct horse battery';

/**
 * A user at a browser: keeps the cookie and sends the CSRF token. Each user has its own network
 * address, which a system with one trusted proxy accepts.
 */
export class Browser {
  readonly ip = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  cookie = '';
  csrfToken = '';
  private readonly system: RunningSystem;
  readonly email: string;

  constructor(system: RunningSystem, email = `${randomUUID()}@example.com`) {
    this.system = system;
    this.email = email;
  }

  signUp(body: Record<string, unknown> = {}): Promise<Answer> {
    return this.enter('/auth/signup', body);
  }

  logIn(body: Record<string, unknown> = {}): Promise<Answer> {
    return this.enter('/auth/login', body);
  }

  request(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const own = {
      'x-forwarded-for': this.ip,
      ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      ...(this.csrfToken === '' ? {} : { 'x-csrf-token': this.csrfToken }),
    };
    return this.system.http.request(method, path, { body, headers: { ...own, ...headers } });
  }

  private async enter(path: string, body: Record<string, unknown>): Promise<Answer> {
    const credentials = { email: this.email, password: PASSWORD, ...body };
    const answer = await this.request('POST', path, credentials);
    if (answer.status === 200) {
      this.cookie = answer.headers['set-cookie']!.split(';', 1)[0]!;
      this.csrfToken = answer.json.csrf_token as string;
    }
    return answer;
  }
}
