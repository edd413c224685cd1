import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { OPT_IN_EVENTS } from './events/webhook-event-names.js';
import { goldenMessages } from './golden-messages.js';
import { ALL_TOPICS } from './topics.js';

const golden = goldenMessages();
const ajv = new Ajv({ strict: false, allErrors: true });

/** Every later version must understand each message that was ever published. */
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

  it('of a sender ID, a domain or a prefix have a type that a webhook can subscribe to', () => {
    const registered = golden.filter(({ name }) => /^(sender|domain|prefix)-event/.test(name));
    const types = registered.map(({ payload }) => (payload as { type: string }).type);
    expect(OPT_IN_EVENTS).toEqual(expect.arrayContaining(types));
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

/** Hashes in the format of `sha256sum *.json`. A new fixture adds a line; lines never change. */
const published = 'published.sha256';

function read(file: string): string {
  return readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8');
}

/** Returns the lines of the published hashes that today's fixtures do not match. */
function unlikePublished(fixtures: ReadonlyMap<string, string>, list: string): string[] {
  const lines = list.trim().split('\n');
  const hashes = new Map(lines.map((line) => line.split('  ').toReversed() as [string, string]));
  const missing = [...hashes.keys()].filter((file) => !fixtures.has(file));
  const problems = missing.map((file) => `${file} is gone: consumers still have such messages`);
  for (const [file, text] of fixtures) {
    const hash = createHash('sha256').update(text).digest('hex');
    const known = hashes.get(file);
    if (known === hash) continue;
    problems.push(
      known === undefined
        ? `${file} is new: add its line to ${published} (${hash}  ${file})`
        : `${file} was edited: a published version never changes. Put it back as it was; what is ` +
            'added goes into a fixture of its own, and what breaks readers is a new version',
    );
  }
  return problems;
}

describe('what was published', () => {
  const files = readdirSync(new URL('../fixtures/', import.meta.url));
  const fixtures = new Map(files.filter((one) => one !== published).map((one) => [one, read(one)]));
  const list = read(published);

  it('has never changed, and is all on the list', () => {
    expect(unlikePublished(fixtures, list)).toEqual([]);
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
