import { type EventId, newId } from '@watchword/contracts';
import type { Endpoint } from '../endpoints/endpoint.js';
import {
  closed,
  SAMPLE_SEQUENCE,
  variantAHead,
  variantBHead,
} from '../payloads/envelope.policy.js';
import { ALL_EVENTS, TEST_EVENT_TYPE } from '../payloads/event-types.policy.js';
import { sampleData } from '../payloads/sample.policy.js';

const TYPE_OF_B = 'sms.delivered';

/** Returns a synthetic event in the endpoint's variant, of the first type that it hears unless one is given. */
export function sampleFor(
  { variant, workspaceId, events }: Pick<Endpoint, 'variant' | 'workspaceId' | 'events'>,
  id: EventId,
  at: Date,
  wanted?: string,
): { type: string; body: string } {
  const occurredAt = at.toISOString();
  if (variant === 'a') {
    const data = { workspace_id: workspaceId, balance: 0, test: true };
    const head = variantAHead(TEST_EVENT_TYPE, occurredAt, data);
    return { type: TEST_EVENT_TYPE, body: closed(head, SAMPLE_SEQUENCE) };
  }
  const type = wanted ?? firstOf(events);
  const data = sampleData(type, workspaceId, newId(), occurredAt);
  return { type, body: closed(variantBHead({ id, type, occurredAt, data }), SAMPLE_SEQUENCE) };
}

function firstOf(events: Endpoint['events']): string {
  const first = events?.[0] ?? ALL_EVENTS;
  return first === ALL_EVENTS ? TYPE_OF_B : first;
}
