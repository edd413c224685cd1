import { describe, expect, it } from '@jest/globals';
import { goldenMessages, newId, type PrefixEvent, type SenderEvent } from '@watchword/contracts';
import { occurrenceOfPrefix, occurrenceOfRegistration } from '../events/occurrence.policy.js';
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

const golden = goldenMessages().filter(({ name }) => /^(sender|domain|prefix)-event/.test(name));

describe('a sample', () => {
  it.each(golden.map(({ payload }) => [(payload as { type: string }).type, payload] as const))(
    'of %s has the shape of the event, and says that it is a test',
    (type, payload) => {
      const told = type.startsWith('prefix.')
        ? occurrenceOfPrefix(payload as PrefixEvent)
        : occurrenceOfRegistration(payload as SenderEvent);
      const { data } = JSON.parse(`${told.b.head()},"sequence":1}`) as { data: object };
      expect(shapeOf(sample(type))).toEqual(shapeOf({ ...data, test: true }));
      expect(sample(type)).toMatchObject({ workspace_id: WORKSPACE, test: true });
    },
  );

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
