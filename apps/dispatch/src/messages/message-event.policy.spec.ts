import { expect, it } from '@jest/globals';
import { type MessageEvent, type MessageId, newId } from '@watchword/contracts';
import { later, message } from '../../test/message.kit.js';
import type { Message } from './message.js';
import { announcements } from './message-event.policy.js';

const before = message('sms', { testMode: true });
const after: Message = {
  ...before,
  state: 'failed',
  reason: 'absent_subscriber',
  refunded: true,
  sentAt: later(1_000),
  endedAt: later(2_000),
  settledAt: later(2_000),
  updatedAt: later(2_000),
};
const events = announcements(before, after).map(({ payload }) => payload as MessageEvent);
const hops = (event: MessageEvent | undefined) =>
  event?.details?.timeline.map(({ status }) => status);

it('the events of one write show the hop sent as it was before the failure', () => {
  expect(events.map(({ type }) => type)).toEqual(['message.sent', 'message.failed']);
  expect(events[0]).toMatchObject({
    message: {
      state: 'sent',
      sent_at: later(1_000).toISOString(),
      reason: null,
      refunded: null,
      error_code: null,
      error_message: null,
    },
    details: { failed_at: null },
  });
  expect(hops(events[0])).toEqual(['queued', 'sent']);
});

it.each(['rejected', 'blocked'] as const)(
  'the events of a %s send say that it was queued',
  (state) => {
    const ended = { ...after, family: 'b', state, sentAt: null, attempts: [] } as const;
    const published = announcements(null, ended).map(({ payload }) => payload as MessageEvent);
    expect(published.map(({ type }) => type)).toEqual(['message.queued', `message.${state}`]);
    expect(published[0]).toMatchObject({
      message: { state: 'accepted', reason: null, refunded: null, error_code: null },
      details: { failed_at: null, provider_attempts: [] },
    });
    expect(hops(published[0])).toEqual(['queued']);
    const scheduled = { ...before, family: 'b', state: 'scheduled', attempts: [] } as const;
    const due = { ...ended, sendAt: later(1_000) };
    const announcedWhenDue = announcements({ ...scheduled, sendAt: later(1_000) }, due);
    expect(announcedWhenDue.map(({ payload }) => (payload as MessageEvent).type)).toEqual([
      `message.${state}`,
    ]);
  },
);

it('the events of one write show the whole failure', () => {
  const failure = { state: 'failed', reason: 'absent_subscriber', refunded: true };
  expect(events[1]).toMatchObject({ message: failure });
  expect(hops(events[1])).toEqual(['queued', 'sent', 'failed']);
});

it('the refund command of a failed resend has the id of the resend', () => {
  const otp = message('otp', { state: 'delivered' });
  const begun = { number: 1, id: newId<MessageId>(), reservedAt: later(0), startedAt: later(1) };
  const open: Message = { ...otp, resends: [{ ...begun, credits: 5, reason: null }] };
  const lost: Message = { ...open, resends: [{ ...begun, credits: 5, reason: 'no_route' }] };
  expect(announcements(open, lost)).toMatchObject([
    { id: begun.id, payload: { message_id: begun.id } },
  ]);
  const expired: Message = { ...lost, state: 'expired', endedAt: later(2) };
  const resends = [{ resend_id: begun.id, credits: 5, reason: 'no_route' }];
  expect(announcements(lost, expired)).toMatchObject([
    { payload: { type: 'message.expired', details: { resends } } },
  ]);
});
