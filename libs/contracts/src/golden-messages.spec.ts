import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { goldenMessages } from './golden-messages.js';
import { ALL_TOPICS } from './topics.js';

const golden = goldenMessages();
const ajv = new Ajv({ strict: false, allErrors: true });

/** For ever: a message that was once published must be understood by every later version. */
describe('the golden messages', () => {
  it.each(golden.map((one) => [one.name, one] as const))('%s is understood', (_, one) => {
    const fits = ajv.compile(one.topic.messages[one.type]!);
    expect(fits(one.payload) ? [] : fits.errors).toEqual([]);
    expect(one.headers).toMatchObject({
      ce_type: one.type,
      ce_source: `/watchword/${one.topic.owner}`,
      ce_specversion: '1.0',
    });
  });

  it('are of every type of every topic', () => {
    const types = ALL_TOPICS.flatMap(({ messages }) => Object.keys(messages));
    expect([...new Set(golden.map(({ type }) => type))].toSorted()).toEqual(types.toSorted());
  });

  it('have the key that their topic promises', () => {
    for (const { name, topic, key, payload } of golden) {
      const record = payload as Record<string, string> & { message?: { id: string } };
      const known = topic.key
        .split(' or ')
        .map((field) =>
          record.message && field === 'message_id' ? record.message.id : record[field],
        );
      expect([name, known.includes(key)]).toEqual([name, true]);
    }
  });
});

describe('the topics', () => {
  it('have names and types of their own, with a version', () => {
    const names = ALL_TOPICS.map(({ name }) => name);
    const types = ALL_TOPICS.flatMap(({ messages }) => Object.keys(messages));
    for (const all of [names, types]) expect(new Set(all).size).toBe(all.length);
    for (const one of [...names, ...types]) expect(one).toMatch(/^svc\.[a-z-]+\.v\d+$/);
  });
});
