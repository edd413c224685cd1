import { beforeEach, describe, expect, it } from '@jest/globals';
import { type DeadLetter, type DeadLetterOffice, TransientError } from '@watchword/bus';
import { ALL_TOPICS, type Topic, TOPICS } from '@watchword/contracts';
import { gateway, useGateway } from './one-gateway.kit.js';

/** Letters of any topic, and a record of requested replays. */
class ScriptedOffice implements DeadLetterOffice {
  letters = new Map<Topic, DeadLetter[]>();
  replays: string[] = [];

  listDeadLetters = async (topic: Topic, group: string | null, limit: number) =>
    (this.letters.get(topic) ?? [])
      .filter((letter) => group === null || letter.group === group)
      .slice(0, limit);

  countDeadLetters = async () => [];

  replayDeadLetters = async (topic: Topic, group: string) => {
    this.replays.push(`${topic.name} ${group}`);
    return (this.letters.get(topic) ?? []).filter((letter) => letter.group === group).length;
  };

  discardDeadLetters = async (topic: Topic, group: string) => {
    const all = this.letters.get(topic) ?? [];
    const left = all.filter((letter) => letter.group !== group);
    this.letters.set(topic, left);
    return all.length - left.length;
  };
}

let office: ScriptedOffice;

useGateway();

beforeEach(() => {
  office = new ScriptedOffice();
  Object.assign(gateway.platform.deadLetters, office);
});

function letter(n: number, over: Partial<DeadLetter> = {}): DeadLetter {
  return {
    id: `refund-${n}`,
    type: 'svc.refund-message.v1',
    group: 'billing.refunds',
    reason: 'TypeError: no month',
    attempts: 5,
    diedAt: `2026-01-05T09:00:0${n}.000Z`,
    origin: { topic: TOPICS.refundCommands.name, partition: 3, offset: String(n) },
    ...over,
  };
}

describe('GET /operator/v1/dead-letters', () => {
  it('counts what has one cause together, and shows the newest of it', async () => {
    const other = { reason: 'the payload is not JSON', attempts: 0 };
    office.letters.set(TOPICS.refundCommands, [
      letter(1),
      letter(2),
      letter(3, other),
      letter(4),
      letter(5),
    ]);
    office.letters.set(TOPICS.sendCommands, [letter(6, { group: 'outbox-relay' })]);
    const { status, body } = await gateway.operator('GET', '/dead-letters');
    expect(status).toBe(200);
    const newest = [5, 4, 2].map((n) => {
      const { id, type, attempts, origin } = letter(n);
      return { id, type, attempts, origin };
    });
    expect(body).toEqual({
      has_more: false,
      data: [
        expect.objectContaining({ topic: TOPICS.sendCommands.name, can_be_replayed: false }),
        {
          topic: TOPICS.refundCommands.name,
          group: 'billing.refunds',
          reason: 'TypeError: no month',
          count: 4,
          first_died_at: letter(1).diedAt,
          last_died_at: letter(5).diedAt,
          can_be_replayed: true,
          newest,
        },
        expect.objectContaining({ reason: other.reason, count: 1 }),
      ],
    });
  });

  it('says when there are more than it has looked at', async () => {
    const many = Array.from({ length: 1_001 }, () => letter(1));
    office.letters.set(TOPICS.refundCommands, many);
    const { body } = await gateway.operator('GET', '/dead-letters');
    expect(body).toMatchObject({ has_more: true, data: [{ count: 1_000 }] });
  });

  it('is 503 while the bus is away', async () => {
    gateway.platform.deadLetters.listDeadLetters = async () => {
      throw new TransientError('Kafka is away');
    };
    const { status, headers, body } = await gateway.operator('GET', '/dead-letters');
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(body.error.type).toBe('internal_error');
  });
});

describe('POST /operator/v1/dead-letters/replay', () => {
  const replay = (topic: string, group: string) =>
    gateway.operator('POST', '/dead-letters/replay', { topic, group });

  it('has those of one group handled again, says how many, and is in the audit', async () => {
    office.letters.set(TOPICS.refundCommands, [letter(1), letter(2)]);
    const asked = { topic: TOPICS.refundCommands.name, group: 'billing.refunds' };
    const { status, body } = await replay(asked.topic, asked.group);
    expect([status, body]).toEqual([200, { ...asked, replayed: 2 }]);
    expect(office.replays).toEqual([`${asked.topic} ${asked.group}`]);
    const { rows } = await gateway.database.pool.query(
      `SELECT effect FROM audit_records WHERE path = '/operator/v1/dead-letters/replay'`,
    );
    expect(rows).toContainEqual({ effect: { ...asked, replayed: 2 } });
  });

  it.each([
    ['topic', 'svc.nothing.v1', 'billing.refunds'],
    ['group', TOPICS.refundCommands.name, 'dispatch.sending'],
    ['group', TOPICS.sendCommands.name, 'outbox-relay'],
  ])('refuses a %s that cannot be: %s %s', async (field, topic, group) => {
    const { status, body } = await replay(topic, group);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'validation_error', field });
    expect(office.replays).toEqual([]);
  });

  it('names every topic that has a reader', async () => {
    for (const topic of ALL_TOPICS) {
      for (const reader of topic.readers) {
        expect((await replay(topic.name, `${reader}.anything`)).status).toBe(200);
      }
    }
    expect(office.replays).toHaveLength(ALL_TOPICS.flatMap(({ readers }) => readers).length);
  });
});

describe('DELETE /operator/v1/dead-letters', () => {
  const topic = TOPICS.refundCommands.name;
  const discard = (body: object) => gateway.operator('DELETE', '/dead-letters', body);

  it('discards those of one group, says how many, and is in the audit', async () => {
    const relayed = letter(3, { group: 'outbox-relay' });
    office.letters.set(TOPICS.refundCommands, [letter(1), letter(2), relayed]);
    const asked = { topic, group: 'billing.refunds' };
    const { status, body } = await discard({ ...asked, reason: 'Refunded by hand.' });
    expect([status, body]).toEqual([200, { ...asked, discarded: 2 }]);
    expect(office.letters.get(TOPICS.refundCommands)).toEqual([relayed]);
    const { rows } = await gateway.database.pool.query(
      `SELECT effect FROM audit_records WHERE path = '/operator/v1/dead-letters' AND method = 'DELETE'`,
    );
    expect(rows).toContainEqual({
      effect: { ...asked, discarded: 2, reason: 'Refunded by hand.' },
    });
    const more = await discard({ topic, group: 'outbox-relay', reason: 'Too large.' });
    expect(more.body).toMatchObject({ discarded: 1 });
  });

  it.each([
    ['reason', { topic, group: 'billing.refunds' }],
    ['topic', { topic: 'svc.nothing.v1', group: 'billing.refunds', reason: 'x' }],
    ['group', { topic, group: 'strangers', reason: 'x' }],
  ])('refuses a body with a wrong %s', async (field, asked) => {
    const { status, body } = await discard(asked);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'validation_error', field });
  });
});
