import { afterEach, describe, expect, it } from '@jest/globals';
import { ACCEPTED, UNREACHABLE, useEmailKit } from './email.kit.js';

const MINUTE_MS = 60_000;

const emails = useEmailKit();
const { answered, command, until } = emails;

const change = (id: string, change: Partial<{ state: 'active' | 'drained' }>) =>
  emails.kit.calls.changeCarrier({ id, ...change });

afterEach(async () => {
  for (const id of ['smtp', 'ses']) await change(id, { state: 'active' });
});

async function send(): Promise<string> {
  const sent = command();
  await emails.kit.send(sent);
  return sent.message_id;
}

describe('accounts of emails', () => {
  it('are listed beside those of texts', async () => {
    await until(await send(), 'sent');
    const { carriers } = await emails.kit.calls.listCarriers({});
    expect(carriers.map(({ id }) => id)).toEqual(['africas_talking', 'twilio', 'smtp', 'ses']);
    expect(carriers.at(-2)).toEqual({
      ...{ id: 'smtp', carrier: 'smtp', state: 'active', circuit: 'closed', preferred_in: [] },
      ...{ submits_per_minute: 1, failed_share: 0, reason: null, reports_unmatched: 0 },
    });
  });

  it('get no email while they are drained', async () => {
    const { carrier } = await change('smtp', { state: 'drained' });
    expect(carrier).toMatchObject({ id: 'smtp', state: 'drained' });
    await until(await send(), 'sent');
    expect(emails.world.smtp.submits).toEqual([]);
    expect(emails.world.ses.submits).toHaveLength(1);
    await change('smtp', { state: 'active' });
    await until(await send(), 'sent');
    expect(emails.world.smtp.submits).toHaveLength(1);
  });

  it('all drained, or the rest refusing: the email waits until one is active', async () => {
    for (const id of ['smtp', 'ses']) await change(id, { state: 'drained' });
    const untried = await send();
    await until(untried, 'queued');
    emails.world.ses.answer = () => UNREACHABLE;
    await change('ses', { state: 'active' });
    const refused = await send();
    await answered(refused, 1);
    expect(emails.world.smtp.submits).toEqual([]);
    emails.world.ses.answer = () => ACCEPTED;
    emails.clock.advance(MINUTE_MS);
    await until(untried, 'sent');
    await until(refused, 'sent');
    expect(emails.world.smtp.submits).toEqual([]);
  });

  it('are preferred in no country', async () => {
    const { calls } = emails.kit;
    const asked = { id: 'smtp', state: 'drained' as const, preferred_in: ['NG'] };
    expect(await calls.changeCarrier(asked)).toEqual({ carrier: null, refused: 'no_countries' });
    const { carrier } = await calls.changeCarrier({ id: 'smtp', preferred_in: [] });
    expect(carrier).toMatchObject({ id: 'smtp', state: 'active', preferred_in: [] });
  });
});
