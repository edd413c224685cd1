import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { KeyRing } from '@watchword/platform';
import { eventually, testDatabase } from '@watchword/testing';
import { dispatchService } from '../src/index.js';
import { EmailDomainStore } from '../src/registrations/domains/email-domain.store.js';
import { ACCEPTED, DEFERRED, useEmailKit } from './email.kit.js';

const MINUTE_MS = 60_000;
const emails = useEmailKit();

const dueAt = async (emailId: string) => {
  const { rows } = await emails.kit.database.pool.query<{ dueAt: Date | null }>(
    'SELECT due_at AS "dueAt" FROM email_recipients WHERE email_id = $1',
    [emailId],
  );
  return rows[0]?.dueAt?.getTime() ?? 0;
};

it('an email whose domain has an unreadable key waits, and holds up no other', async () => {
  const { clock, command, kit, until, answered, world } = emails;
  world.unreadable.add('sealed.example');
  world.smtp.answer = () => DEFERRED;
  const waiting = command(undefined, {}, { from_domain: 'sealed.example' });
  const other = command();
  await kit.send(waiting);
  await eventually(async () =>
    expect(await dueAt(waiting.message_id)).toBe(clock.now() + MINUTE_MS),
  );
  await kit.send(other);
  await answered(other.message_id, 1);
  world.smtp.answer = () => ACCEPTED;
  clock.advance(MINUTE_MS);
  await until(other.message_id, 'sent');
  await until(waiting.message_id, 'queued');
  world.unreadable.clear();
  clock.advance(MINUTE_MS);
  await until(waiting.message_id, 'sent');
});

it('the keys of other domains are read where one is unreadable', async () => {
  const { migrations, functions } = dispatchService;
  const database = await testDatabase({ service: 'dispatch', migrations, functions });
  try {
    const storeOf = (key: string) =>
      new EmailDomainStore(database.pool, new KeyRing([key.repeat(32)], 'domains'));
    const [known, lost] = [storeOf('0f'), storeOf('0e')];
    const workspaceId = newId();
    const key = { publicKeyBase64: 'public', privateKeyPem: 'private' };
    for (const [store, name] of [
      [known, 'known.example'],
      [lost, 'lost.example'],
    ] as const) {
      await store.insert({ id: newId(), workspaceId, name }, key, new Date());
    }
    const pairs = ['known.example', 'lost.example'].map((name) => ({ workspaceId, name }));
    const unreadable: string[] = [];
    const found = await known.signing(pairs, ({ name }) => void unreadable.push(name));
    expect(found).toMatchObject([{ name: 'known.example', privateKeyPem: 'private' }]);
    expect(unreadable).toEqual(['lost.example']);
  } finally {
    await database.drop();
  }
});
