import { describe, expect, it } from '@jest/globals';
import {
  type CreditEvent,
  DEFAULT_EVENTS,
  goldenMessages,
  newId,
  OPT_IN_EVENTS,
  type PrefixEvent,
  type SenderEvent,
  VARIANT_B_EVENTS,
} from '@watchword/contracts';
import {
  type Occurrence,
  occurrenceOfCredit,
  occurrenceOfPrefix,
  occurrenceOfRegistration,
} from '../events/occurrence.policy.js';
import { sampleData } from './sample.policy.js';

const AT = '2026-01-05T09:00:00.000Z';
const WORKSPACE = newId();
const sample = (type: string) =>
  sampleData(type, WORKSPACE, newId(), AT) as Record<string, unknown>;

/** Returns the names of all members, in order of the alphabet. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))];
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).map(([name, own]) => [name, shapeOf(own)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function occurrenceOf({ topic, payload }: ReturnType<typeof goldenMessages>[number]): Occurrence {
  if (topic.name === 'svc.credit-events.v1') return occurrenceOfCredit(payload as CreditEvent)!;
  if (topic.name === 'svc.prefix-events.v1') return occurrenceOfPrefix(payload as PrefixEvent);
  return occurrenceOfRegistration(payload as SenderEvent);
}

const golden = goldenMessages()
  .filter(({ name }) => /^(sender|domain|prefix)-event|^credit-(low|top)/.test(name))
  .map((message) => occurrenceOf(message).b);

describe('a sample', () => {
  it.each(golden.map((told) => [told.type, told] as const))(
    'of %s has the shape of the event, and says that it is a test',
    (type, told) => {
      const { data } = JSON.parse(`${told.head()},"sequence":1}`) as { data: object };
      expect(shapeOf(sample(type))).toEqual(shapeOf({ ...data, test: true }));
      expect(sample(type)).toMatchObject({ workspace_id: WORKSPACE, test: true });
    },
  );

  it.each([...DEFAULT_EVENTS, ...OPT_IN_EVENTS, ...VARIANT_B_EVENTS])(
    'of %s belongs to the workspace and says that it is a test',
    (type) => {
      const { workspace_id, project_id, test_mode, test } = sample(type);
      expect([workspace_id ?? project_id, test_mode ?? test]).toEqual([WORKSPACE, true]);
    },
  );

  it('of a throttled prefix ends after an hour, as a throttle does', () => {
    expect(sample('prefix.throttled')).toMatchObject({ ends_at: '2026-01-05T10:00:00.000Z' });
  });

  it.each([
    ['sms.failed', 'failed', 'absent_subscriber'],
    ['sms.rejected', 'rejected', 'invalid_number'],
    ['sms.blocked', 'rejected', 'antispam_blocked'],
  ])('of %s ends with a hop that says why, and the refund', (type, status, reason) => {
    const { timeline, ...data } = sample(type) as { timeline: object[] };
    expect(timeline.at(-1)).toEqual({ status, timestamp: AT, reason, refunded: true });
    expect(data).toMatchObject({ error_code: reason, error_message: expect.any(String) });
  });

  it.each(['sms.rejected', 'sms.blocked', 'sms.cancelled', 'email.failed', 'email.cancelled'])(
    'of %s was never sent',
    (type) => {
      const { provider = null, sent_at } = sample(type);
      expect([provider, sent_at]).toEqual([null, null]);
    },
  );

  it('of an expired code ends when the code expires', () => {
    const { created_at, expires_at, ttl_seconds } = sample('otp.expired');
    expect(expires_at).toBe(AT);
    expect(Date.parse(AT) - Date.parse(created_at as string)).toBe(Number(ttl_seconds) * 1_000);
  });

  it('of an unsubscribe is of a delivered marketing email', () => {
    const what = { status: 'delivered', category: 'marketing', delivered_at: AT };
    expect(sample('email.unsubscribed')).toMatchObject(what);
  });

  it('of webhook.disabled names an endpoint and why', () => {
    expect(sample('webhook.disabled')).toEqual({
      workspace_id: WORKSPACE,
      endpoint_id: expect.any(String),
      url: expect.stringMatching(/^https:/),
      reason: 'failing',
      test: true,
    });
  });

  it('of a click says whether a machine made it', () => {
    expect(sample('email.clicked')).toMatchObject({ click: { machine_click: false } });
  });
});
