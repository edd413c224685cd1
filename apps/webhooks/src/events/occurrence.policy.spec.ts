import { describe, expect, it } from '@jest/globals';
import {
  asId,
  type CreditToppedUp,
  type DomainEvent,
  type EmailEvent,
  goldenMessages,
  newId,
  type SenderEvent,
} from '@watchword/contracts';
import {
  occurrenceOfCredit,
  occurrenceOfEmail,
  occurrenceOfRegistration,
} from './occurrence.policy.js';

const topUp: CreditToppedUp = {
  type: 'credit.topped_up',
  workspace_id: asId('0199a000-0000-7000-8000-000000000002'),
  entry_id: asId('0199a000-0000-7000-8000-000000000003'),
  top_up_kind: 'purchase',
  credits: 100,
  balance_after: 120,
  occurred_at: '2026-01-05T09:00:00.500Z',
};

describe('occurrences of credit events', () => {
  it('are top-ups, under the id of their entry', () => {
    const data = '{"workspace_id":"0199a000-0000-7000-8000-000000000002","balance":120}';
    const { b, published, ...occurrence } = occurrenceOfCredit(topUp)!;
    expect({ ...occurrence, b: { ...b, head: b.head() }, published: published() }).toEqual({
      eventId: 'evt_0199a000000070008000000000000003',
      workspaceId: topUp.workspace_id,
      occurredAt: topUp.occurred_at,
      family: 'a',
      testMode: null,
      endpointId: null,
      messageId: null,
      a: {
        type: 'credit_balance.topped_up',
        head:
          '{"event":"credit_balance.topped_up","timestamp":"2026-01-05T09:00:00Z","data":' + data,
      },
      b: {
        type: 'credit_balance.topped_up',
        head:
          '{"id":"evt_0199a000000070008000000000000003","type":"credit_balance.topped_up",' +
          '"created_at":"2026-01-05T09:00:00.500Z","data":' +
          data,
      },
      published:
        '{"event_id":"evt_0199a000000070008000000000000003",' +
        '"workspace_id":"0199a000-0000-7000-8000-000000000002",' +
        '"type":"credit_balance.topped_up","message_id":null,"test_mode":null,' +
        '"occurred_at":"2026-01-05T09:00:00.500Z"',
    });
    expect(occurrenceOfCredit({ ...topUp, top_up_kind: 'bonus' })).not.toBeNull();
    expect(occurrenceOfCredit({ ...topUp, top_up_kind: 'adjustment' })).not.toBeNull();
  });

  it('are balances that became low, with the threshold', () => {
    const { workspace_id, entry_id, balance_after, occurred_at } = topUp;
    const low = { type: 'credit.low' as const, workspace_id, entry_id, balance_after, occurred_at };
    expect(occurrenceOfCredit({ ...low, threshold: 121 })?.a).toEqual({
      type: 'credit_balance.low',
      head:
        '{"event":"credit_balance.low","timestamp":"2026-01-05T09:00:00Z","data":' +
        '{"workspace_id":"0199a000-0000-7000-8000-000000000002","balance":120,"threshold":121}',
    });
  });

  it('are not trials, deductions or refunds', () => {
    expect(occurrenceOfCredit({ ...topUp, top_up_kind: 'trial' })).toBeNull();
    expect(occurrenceOfCredit({ ...topUp, top_up_kind: 'adjustment', credits: -5 })).toBeNull();
    const { workspace_id, entry_id, credits, balance_after, occurred_at } = topUp;
    const refund = { workspace_id, entry_id, credits, balance_after, occurred_at };
    expect(
      occurrenceOfCredit({ ...refund, type: 'credit.refunded', message_id: newId() }),
    ).toBeNull();
  });
});

describe('occurrences of emails', () => {
  const golden = goldenMessages().filter(({ type }) => type === 'svc.email-event.v1');

  it.each(golden.map(({ name, payload }) => [name, payload as EmailEvent] as const))(
    'decisions 20: %s has a body of variant B alone',
    (_, event) => {
      const { a, b, family, testMode, published } = occurrenceOfEmail(event);
      expect({ a, family, testMode }).toEqual({ a: null, family: 'b', testMode: false });
      expect(b.type).toBe(event.type);
      const { data } = JSON.parse(`${b.head()},"sequence":1}`) as { data: Record<string, unknown> };
      expect(data).toMatchObject({
        id: event.email_id,
        email_id: event.email_id,
        project_id: event.workspace_id,
        recipient: event.recipient,
        status: event.email.status,
      });
      for (const member of ['html', 'text', 'credits', 'workspace_id']) {
        expect(data).not.toHaveProperty(member);
      }
      expect(JSON.parse(`${published()},"sequence":1}`)).toMatchObject({
        message_id: event.email_id,
      });
    },
  );
});

describe('occurrences of registrations', () => {
  const types = new Set(['svc.sender-event.v1', 'svc.domain-event.v1']);
  const golden = goldenMessages().filter(({ type }) => types.has(type));

  it.each(golden.map(({ name, payload }) => [name, payload as SenderEvent | DomainEvent] as const))(
    '%s shows the resource with both names of the workspace',
    (_, event) => {
      const { workspace_id } = event;
      const record = 'domain' in event ? event.domain : { ...event.sender, country: event.country };
      const { a, b } = occurrenceOfRegistration(event);
      for (const head of [a!.head, b.head()]) {
        const { data } = JSON.parse(`${head},"sequence":1}`) as { data: object };
        expect(data).toEqual({ ...record, workspace_id, project_id: workspace_id });
      }
    },
  );
});
