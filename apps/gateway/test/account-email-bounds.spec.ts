/** How many account emails a mailbox gets: decisions 28. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { type MailingGateway, openMailing } from './account-emails.kit.js';
import { dashboard, newOwner, Person } from './person.kit.js';

const HOUR_MS = 3_600_000;
const REQUESTED = { status: 202, body: { status: 'requested' } };

let gateway: MailingGateway;
/** Returns a spelling of the mailbox of the test. */
let spelling: (tag: string) => string;

beforeAll(async () => (gateway = await openMailing()));
afterAll(() => gateway.close());
beforeEach(() => {
  const name = newId();
  spelling = (tag) => `${name}${tag}@example.com`;
});

/** Signs up by an invitation, each from a network address of its own. */
async function join(email: string): Promise<Person> {
  const owner = await newOwner(gateway);
  await gateway.mail();
  const person = new Person(gateway, email);
  const { body } = await dashboard(owner, 'POST', 'members', { email });
  expect((await person.signUp({ invitation_token: body.invitation_token })).status).toBe(200);
  return person;
}

const forgot = (email: string) => gateway.forgot(new Person(gateway, email));
const sentTo = async () => (await gateway.mail()).map(({ command }) => command.to);

it('decisions 28: a mailbox gets five emails an hour, of all kinds and in all spellings together; more are dropped in silence', async () => {
  const person = await join(spelling(''));
  await join(spelling('+A'));
  await join(spelling('+b+c').toUpperCase());
  expect(await person.call('POST', '/auth/email/confirmation')).toMatchObject(REQUESTED);
  const sent = await sentTo();
  expect(sent).toHaveLength(2);
  for (let asked = 0; asked < 4; asked += 1) {
    expect(await forgot(spelling('+a'))).toMatchObject(REQUESTED);
  }
  expect(await sentTo()).toEqual([spelling('+a')]);
  expect(await person.call('POST', '/auth/email/confirmation')).toMatchObject(REQUESTED);
  expect(await forgot(spelling(''))).toMatchObject(REQUESTED);
  await join(spelling('+d'));
  expect(await sentTo()).toEqual([]);
  const { rows } = await gateway.database.pool.query('SELECT FROM email_requests');
  expect(rows).toEqual([]);
  gateway.clock.advance(HOUR_MS);
  await forgot(spelling(''));
  expect(await sentTo()).toEqual([spelling('')]);
});

it('decisions 28: a mailbox gets twenty emails a day', async () => {
  await join(spelling(''));
  const counts = [(await sentTo()).length];
  for (let hours = 0; hours < 25; hours += 1) {
    for (let asked = 0; asked < 6; asked += 1) await forgot(spelling(''));
    counts.push((await sentTo()).length);
    gateway.clock.advance(HOUR_MS);
  }
  const nothing = Array<number>(20).fill(0);
  expect(counts).toEqual([1, 4, 5, 5, 5, ...nothing, 5]);
});
