import { describe, expect, it } from '@jest/globals';
import { EraseHandler } from './erase.handler.js';

/** Answers calls slice by slice with these counts, and remembers what was asked. */
function scene(open: number[] = [0]) {
  const asked: (string | null)[] = [];
  const slices = (counts: number[]) => async (request: { to: string; after: string | null }) => {
    asked.push(`${request.to} ${request.after}`);
    const at = Number(request.after ?? 0);
    return { count: counts[at]!, next: at + 1 < counts.length ? String(at + 1) : null };
  };
  const dispatch = { countOpenMessages: slices(open), eraseMessages: slices([2, 3]) };
  const webhooks = { eraseEvents: slices([4, 0, 1]), eraseWebhookAttempts: slices([0, 6]) };
  return { asked, erasures: new EraseHandler(dispatch, webhooks) };
}

describe('an erasure', () => {
  it('adds up all slices', async () => {
    const { erasures } = scene();
    const { body } = await erasures.erase({ to: '+2348031234567', reason: 'Asked.' });
    expect(body).toEqual({ messages: 5, webhook_events: 5, webhook_attempts: 6 });
  });

  it('masks each spelling in the reason, in any case of letters', async () => {
    const reason = 'Ada@Bücher.example wrote from ADA@xn--bcher-kva.example.';
    const { effect } = await scene().erasures.erase({ to: 'ada@bücher.example', reason });
    const masked = 'a•••••@xn--bcher-kva.example';
    expect(effect).toMatchObject({ to: masked, reason: `${masked} wrote from ${masked}.` });
  });

  it.each([
    [[0, 1], '1 message to this recipient has not ended.'],
    [[2, 1], '3 messages to this recipient have not ended.'],
  ])('erases nothing while messages are open: %j', async (open, text) => {
    const { asked, erasures } = scene(open);
    const refused = erasures.erase({ to: '+2348031234567', reason: 'Asked.' });
    await expect(refused).rejects.toMatchObject({
      type: 'conflict',
      text: { en: expect.stringContaining(text) },
    });
    expect(asked).toEqual(['+2348031234567 null', '+2348031234567 1']);
  });
});
