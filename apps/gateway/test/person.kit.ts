import { randomInt, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { WorkspaceId } from '@watchword/contracts';
import type { Answer, TestGateway } from './gateway.kit.js';

export const PASSWORD = 'correct horse battery';

/** Returns an IP address that almost certainly no other test has. */
export function freshIp(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** A user in a browser: keeps the cookies and sends the CSRF token. */
export class Person {
  cookie = '';
  device = '';
  csrfToken = '';
  readonly ip = freshIp();
  readonly email: string;

  constructor(
    private readonly gateway: TestGateway,
    email = `${randomUUID()}@example.com`,
  ) {
    this.email = email;
  }

  async signUp(body: object = {}): Promise<Answer> {
    return this.enter('/auth/signup', body);
  }

  async logIn(body: object = {}): Promise<Answer> {
    return this.enter('/auth/login', body);
  }

  call(method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
    return this.gateway.call({
      method: method as 'GET',
      url: path,
      headers: {
        'x-forwarded-for': this.ip,
        cookie: [this.cookie, this.device].filter((each) => each !== '').join('; '),
        ...(this.csrfToken === '' ? {} : { 'x-csrf-token': this.csrfToken }),
        ...headers,
      },
      payload: body as object,
    });
  }

  private async enter(path: string, body: object): Promise<Answer> {
    const answer = await this.call('POST', path, {
      email: this.email,
      password: PASSWORD,
      ...body,
    });
    if (answer.status === 200) {
      const [session, device] = [answer.headers['set-cookie']].flat().map(valueOf);
      this.cookie = session as string;
      this.device = device ?? this.device;
      this.csrfToken = answer.body.csrf_token;
    }
    return answer;
  }
}

function valueOf(cookie: string | number | undefined): string {
  return String(cookie).split(';', 1)[0] as string;
}

/** Creates a user with a new workspace. */
export async function newOwner(
  gateway: TestGateway,
): Promise<Person & { workspaceId: WorkspaceId }> {
  const person = new Person(gateway);
  const { status, body } = await person.signUp();
  expect(status).toBe(200);
  return Object.assign(person, { workspaceId: body.workspace.workspace_id as WorkspaceId });
}

/** Creates a user with a new workspace, who is an operator of the platform, too. */
export async function newOperatorUser(gateway: TestGateway) {
  const person = await newOwner(gateway);
  const { body } = await person.call('GET', '/auth/me');
  const userId = body.user.user_id as string;
  const { status } = await gateway.operator('PUT', `/users/${userId}/operator`);
  expect(status).toBe(200);
  return Object.assign(person, { userId });
}

export const dashboard = (
  person: Person,
  method: string,
  path: string,
  body?: unknown,
  headers = {},
) => person.call(method, `/dashboard/${path}`, body, headers);

/** Creates a person who joins the inviter's workspace. */
export async function memberOf(
  gateway: TestGateway,
  inviter: Person,
  role?: string,
): Promise<Person> {
  const person = new Person(gateway);
  const invited = await dashboard(inviter, 'POST', 'members', { email: person.email, role });
  expect(invited.status).toBe(201);
  const joined = await person.signUp({ invitation_token: invited.body.invitation_token });
  expect(joined.status).toBe(200);
  return person;
}
