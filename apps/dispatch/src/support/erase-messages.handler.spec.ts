import { expect, it } from '@jest/globals';
import { FakeClock } from '@watchword/testing';
import { emailCommand } from '../../test/email.kit.js';
import { newEmail } from '../emails/email-change.policy.js';
import type { Email } from '../emails/email.js';
import { EraseMessagesHandler } from './erase-messages.handler.js';

const TO = 'ada@example.com';

function delivered(): Email {
  const email = newEmail(emailCommand([TO]), new Date());
  const recipients = email.recipients.map((one) => ({
    ...one,
    ...({ state: 'delivered', dueAt: null } as const),
  }));
  return { ...email, recipients };
}

/** Erases an email that a report changes before the first `changes` writes. */
function scene(changes: number) {
  const email = delivered();
  const pages: (string | null)[] = [];
  let rounds = 0;
  const page = async (_asked: unknown, after: string | null) => {
    pages.push(after);
    return { ids: [email.id], next: 'second page' };
  };
  const read = async () => new Map([[email.id, email]]);
  const write = async () => ((rounds += 1) > changes ? 1 : 0);
  const unused = {} as never;
  const erasures = new EraseMessagesHandler(
    ...[unused, unused],
    ...([{ page }, { read }, { write }] as unknown as [never, never, never]),
    ...[unused, unused],
    new FakeClock(),
  );
  const erase = (after: string | null) =>
    erasures.erase({ to: TO, erased: 'erased@erased.invalid', after });
  return { erase, pages };
}

it('an erasure of emails that changed meanwhile goes on from the same page', async () => {
  const { erase, pages } = scene(1);
  const { count, next } = await erase(null);
  expect(count).toBe(0);
  expect(next).not.toBeNull();
  expect(await erase(next)).toEqual({ count: 1, next: 'second page' });
  expect(pages).toEqual([null, null]);
  expect(await scene(1).erase('page 7')).toEqual({ count: 0, next: 'page 7' });
});
