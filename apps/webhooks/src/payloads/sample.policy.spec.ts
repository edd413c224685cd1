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
  // `problem` of a domain's record is newer than the published event, and optional.
  const members = Object.entries(value).filter(([name]) => name !== 'problem');
  const entries = members.map(([name, own]) => [name, shapeOf(own)] as const);
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
  it.each(golden.map((published) => [published.type, published] as const))(
    'of %s has the shape of the event, and says that it is a test',
    (type, published) => {
      const { data } = JSON.parse(`${published.head()},"sequence":1}`) as { data: object };
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
});
