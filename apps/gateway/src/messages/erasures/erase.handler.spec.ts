import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '@watchword/testing';
import { EraseHandler } from './erase.handler.js';
import type { ErasureStore, OpenErasure } from './erasure.store.js';

const TO = '+2348031234567';
const clock = new FakeClock('2026-11-20T08:00:00.000Z');

/** Answers calls slice by slice with these counts. */
function scene({ open = [0], tests = 0, erased = [2, 3] } = {}) {
  const kept: OpenErasure[] = [];
  const forgotten: string[] = [];
  const slices = (counts: number[]) => async (request: { after: string | null }) => {
    const at = Number(request.after ?? 0);
    const next = at + 1 < counts.length ? String(at + 1) : null;
    return { count: counts[at]!, tests, next };
  };
  const dispatch = {
    cancelScheduledMessages: slices([1, 1]),
    countOpenMessages: slices(open),
    eraseMessages: slices(erased),
  };
  const webhooks = { eraseEvents: slices([4, 0, 1]), eraseWebhookAttempts: slices([0, 6]) };
  const store = {
    put: async (erasure: OpenErasure) => void kept.push(erasure),
    delete: async ({ recipient }: OpenErasure) => void forgotten.push(recipient),
  } as unknown as ErasureStore;
  return { kept, forgotten, erasures: new EraseHandler(dispatch, webhooks, store, clock) };
}

describe('an erasure', () => {
  it('an erasure adds up all slices and stores what is left, without test messages', async () => {
    const { erasures, kept } = scene({ open: [0, 2], tests: 5 });
    const { body } = await erasures.erase({ to: TO, reason: 'Asked.' });
    expect(body).toEqual({
      ...{ messages: 5, webhook_events: 5, webhook_attempts: 6, cancelled: 2, erased_later: 2 },
    });
    expect(kept).toEqual([{ recipient: TO, askedAt: new Date(clock.now()) }]);
  });

  it('an erasure masks each spelling in its reason, in any case of letters', async () => {
    const reason = 'Ada@Bücher.example wrote from ADA@xn--bcher-kva.example.';
    const { effect } = await scene().erasures.erase({ to: 'ada@bücher.example', reason });
    const masked = 'a•••••@xn--bcher-kva.example';
    expect(effect).toMatchObject({ to: masked, reason: `${masked} wrote from ${masked}.` });
  });

  it.each([
    ['a message is open', { open: [1], erased: [0] }, false],
    ['a test message is open', { tests: 1, erased: [0] }, false],
    ['it erased something', { erased: [1] }, false],
    ['it found nothing more', { erased: [0] }, true],
  ])('an erasure is repeated unless its last run found nothing: %s', async (_, found, isOver) => {
    const { erasures, forgotten } = scene(found);
    await erasures.resume({ recipient: TO, askedAt: new Date(clock.now()) });
    expect(forgotten).toEqual(isOver ? [TO] : []);
  });
});
