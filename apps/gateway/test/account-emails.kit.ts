import { expect } from '@jest/globals';
import { type EmailContent, type SendPlatformEmail, TOPICS } from '@watchword/contracts';
import { AccountEmailsJob } from '../src/messages/account-emails/account-emails.job.js';
import { type Answer, openGateway, type TestGateway } from './gateway.kit.js';
import { Person } from './person.kit.js';

export const NEW_PASSWORD = 'staple battery horse';

export const errorOf = ({ status, body }: Answer) => [
  status,
  body?.error?.type,
  body?.error?.field,
];

export interface SentEmail {
  command: SendPlatformEmail;
  content: EmailContent;
  token: string;
}

/** A gateway that sends account emails to a dispatch that keeps their contents. */
export interface MailingGateway extends TestGateway {
  /** Makes the requested emails and returns them. */
  mail(): Promise<SentEmail[]>;
  forgot(person: Person, headers?: object): Promise<Answer>;
  redeem(token: string, password?: string): Promise<Answer>;
  confirm(token: string): Promise<Answer>;
}

export async function openMailing(environment: Record<string, string> = {}) {
  const gateway = await openGateway({
    TRUSTED_PROXIES: '1',
    PLATFORM_EMAIL_FROM: 'Acme <accounts@acme.example>',
    PUBLIC_BASE_URL: 'https://app.acme.example/',
    ...environment,
  });
  // Emails are made when a test says so, and never by the sweep of the job.
  await gateway.app.get(AccountEmailsJob).stop();
  const post = (path: string, body: object) => new Person(gateway).call('POST', path, body);
  const mailing: MailingGateway = {
    ...gateway,
    mail: () => mail(gateway),
    forgot: (person, headers = {}) =>
      person.call('POST', '/auth/password/forgot', { email: person.email }, headers),
    redeem: (reset_token, new_password = NEW_PASSWORD) =>
      post('/auth/password/reset', { reset_token, new_password }),
    confirm: (confirmation_token) => post('/auth/email/confirm', { confirmation_token }),
  };
  return mailing;
}

async function mail({ app, database, dispatch }: TestGateway): Promise<SentEmail[]> {
  const before = dispatch.emailContents.contents.length;
  await app.get(AccountEmailsJob).run();
  const contents = dispatch.emailContents.contents.slice(before);
  const { rows } = await database.pool.query<{ payload: string }>(
    'SELECT payload FROM message_queue WHERE topic = $1 ORDER BY position DESC LIMIT $2',
    [TOPICS.platformEmails.name, contents.length],
  );
  expect(rows).toHaveLength(contents.length);
  const commands = rows.map(({ payload }) => readJson(payload)).toReversed();
  return contents.map((content, index) => ({
    command: commands[index]!,
    content,
    token: tokenOf(content),
  }));
}

function readJson(payload: unknown): SendPlatformEmail {
  return (typeof payload === 'string' ? JSON.parse(payload) : payload) as SendPlatformEmail;
}

/** Returns the token, which is the same in both parts. A notice has none. */
function tokenOf({ html, text }: EmailContent): string {
  const link = /https:\/\/app\.acme\.example\/account\/[a-z-]+#token=([\w-]{43})/;
  if (!text?.includes('#token=')) return '';
  const [inText, inHtml] = [text, html].map((part) => link.exec(part ?? '')?.[1]);
  expect(inText).toBeDefined();
  expect(inHtml).toBe(inText);
  return inText as string;
}
