import { createHmac } from 'node:crypto';
import { ERASED_ADDRESS } from '@watchword/email';
import type { ReceivedAttempt } from './client-log.ts';
import type { DeliveryRow, EndpointRow, EventRow, Evidence, MessageRow } from './evidence.ts';
import { checkEmailEvents } from './email.check.ts';
import { groupBy, Tally } from './tally.ts';

/** Events of an endpoint that names none, by the specification. */
const DEFAULT_EVENTS = [
  'otp.sent',
  'otp.failed',
  'sms.delivered',
  'sms.failed',
  'sms.blocked',
  'credit_balance.topped_up',
];

/** 5. Each transition is one event, numbered without gaps, that each subscribed endpoint got. */
export function checkEvents(evidence: Evidence): Tally {
  const tally = new Tally(
    5,
    'a transition is one event; endpoints got it, each time the same bytes',
  );
  checkOccurrences(tally, evidence);
  checkEmailEvents(tally, evidence.email, evidence.events);
  checkSequences(tally, evidence);
  checkPublished(tally, evidence);
  checkDeliveries(tally, evidence);
  checkBytes(tally, evidence);
  return tally;
}

interface Body {
  event: string;
  sequence: number;
  data: { id?: string };
}

/** A receiver that was erased, as a whole value. */
const ERASED = new RegExp(
  String.raw`"(?:\+\d{0,3}•••••|${ERASED_ADDRESS.replaceAll('.', '[.]')})"`,
);

/** Milliseconds. A code that has just expired may not be announced yet. */
const TOLD_WITHIN_MS = 10_000;

function hasJustExpired({ type, at }: { type: string; at: Date }, readAt: Date): boolean {
  return type === 'otp.expired' && readAt.getTime() - at.getTime() < TOLD_WITHIN_MS;
}

function checkOccurrences(tally: Tally, evidence: Evidence): void {
  const { attempts, email, events, messages, readAt } = evidence;
  const ofMessages = events.filter(({ variant_a_type: type }) => !type.startsWith('domain.'));
  const announced = groupBy(ofMessages, ({ variant_a_body: body }) => {
    return (JSON.parse(body) as Body).data.id ?? '';
  });
  announced.delete('');
  for (const [id, own] of announced) {
    if (email.emails.has(id) || own.every(isOfWorkspace)) announced.delete(id);
  }
  for (const message of messages.values()) {
    const types = (announced.get(message.id) ?? []).map(({ variant_a_type: type }) => type);
    const isTried = attempts.has(message.id);
    const expected = [...queuedEvents(message, isTried), ...expectedEvents(message)];
    const expiry = { type: 'otp.expired', at: message.expires_at ?? message.created_at };
    const listed = (some: string[]) => {
      const settled = some.filter(
        (type) => type !== expiry.type || !hasJustExpired(expiry, readAt),
      );
      return settled.toSorted().join();
    };
    const isAnnounced = listed(types) === listed(expected);
    tally.expect(isAnnounced, () => {
      return `message ${message.id} is ${message.state}: announced [${types}], not [${expected}]`;
    });
  }
  for (const id of announced.keys()) {
    tally.expect(messages.has(id), () => `events about ${id}, which is no message`);
  }
}

/**
 * Variant B announces each send that waits for a carrier; a scheduled one when it is due and may
 * go.
 */
function queuedEvents({ kind, family, send_at }: MessageRow, isTried: boolean): string[] {
  if (kind !== 'sms' || family !== 'b') return [];
  return send_at === null || isTried ? ['sms.queued'] : [];
}

/** About what a workspace registered. */
function isOfWorkspace({ variant_a_type: type }: EventRow): boolean {
  return type.startsWith('domain.') || type.startsWith('sender_id.');
}

/**
 * Returns the events that the times in the row require: nothing unannounced happened, and vice
 * versa.
 */
function expectedEvents({ kind, state, ...at }: MessageRow): string[] {
  const events: string[] = [];
  if (at.sent_at) events.push(`${kind}.sent`);
  if (at.delivered_at) events.push(`${kind}.delivered`);
  if (at.verified_at) events.push(`${kind}.verified`);
  if (at.ended_at && state === 'expired') events.push(`${kind}.expired`);
  if (at.settled_at) events.push(`${kind}.${endingOf(kind, state)}`);
  return events;
}

function endingOf(kind: string, state: string): string {
  return kind === 'sms' && (state === 'blocked' || state === 'cancelled') ? state : 'failed';
}

function checkSequences(tally: Tally, { events, sequences }: Evidence): void {
  for (const [workspaceId, own] of groupBy(events, ({ workspace_id: id }) => id)) {
    own.forEach(({ sequence, id, variant_a_body: body }, index) => {
      const isNext = sequence === index + 1 && (JSON.parse(body) as Body).sequence === sequence;
      tally.expect(
        isNext,
        () => `${workspaceId}: event ${id} is number ${sequence}, not ${index + 1}`,
      );
    });
    const last = sequences.get(workspaceId);
    tally.expect(
      last === own.length,
      () => `${workspaceId}: counter ${last}, ${own.length} events`,
    );
  }
}

/**
 * Checks that what is left in the queue is the end of the topic: each number once, in order,
 * without gaps.
 */
function checkPublished(tally: Tally, { events, publishedEvents }: Evidence): void {
  const known = new Map(events.map(({ id, sequence }) => [id, sequence]));
  for (const [workspaceId, own] of groupBy(publishedEvents, ({ workspace_id: id }) => id)) {
    own.forEach(({ id, sequence }, index) => {
      const isNext = sequence === own[0]!.sequence + index && known.get(id) === sequence;
      tally.expect(isNext, () => `${workspaceId}: event ${id} is published as number ${sequence}`);
    });
  }
}

function checkDeliveries(tally: Tally, evidence: Evidence): void {
  const { endpoints, events, deliveries, received, deliveryAttempts, readAt } = evidence;
  const made = groupBy(deliveries, (delivery) => `${delivery.endpoint_id} ${delivery.event_id}`);
  const taken = new Set(
    received
      .filter(({ status }) => status >= 200 && status < 300)
      .map(({ path, eventId }) => `${path} ${eventId}`),
  );
  const eventsOf = groupBy(events, ({ workspace_id: id }) => id);
  for (const endpoint of endpoints) {
    for (const event of eventsOf.get(endpoint.workspace_id) ?? []) {
      const { variant_a_type: type, occurred_at: at } = event;
      if (!isSubscribed(endpoint, event) || hasJustExpired({ type, at }, readAt)) continue;
      const own = (made.get(`${endpoint.id} ${event.id}`) ?? []).filter(isFirst);
      tally.expect(own.length === 1, () => `event ${event.id} has ${own.length} deliveries`);
      const key = `${new URL(endpoint.url).pathname} ${event.id}`;
      for (const delivery of own) {
        const recorded = deliveryAttempts.get(delivery.id) ?? 0;
        const problem = deliveryProblem(delivery, taken.has(key), recorded);
        tally.expect(problem === null, () => `event ${event.id}: ${problem}`);
      }
    }
  }
}

/** A replay or a recovery delivers again. */
function isFirst({ replay_of: original }: DeliveryRow): boolean {
  return original === null;
}

/** Returns whether the endpoint is subscribed. Events from before its creation do not count. */
function isSubscribed({ events, created_at: since }: EndpointRow, event: EventRow): boolean {
  return event.occurred_at > since && (events ?? DEFAULT_EVENTS).includes(event.variant_a_type);
}

function deliveryProblem(delivery: DeliveryRow, isTaken: boolean, recorded: number): string | null {
  if (recorded !== delivery.attempt_count) {
    return `${delivery.attempt_count} attempts, ${recorded} on record`;
  }
  if (delivery.status === 'delivered') return isTaken ? null : 'delivered, and nobody took it';
  return recorded > 0 ? null : `${delivery.status} without any attempt on record`;
}

/** Checks only events from before the tables were read, because codes continue to expire. */
function checkBytes(tally: Tally, { events, received, client, readAt }: Evidence): void {
  const bodies = new Map(events.map((event) => [event.id, event]));
  const webhooks = new Map(
    client.workspaces.flatMap(({ id, webhook }) =>
      webhook === null ? [] : [[webhook.path, { id, secret: webhook.secret }] as const],
    ),
  );
  for (const attempt of received) {
    const { eventId, path, body, receivedAt } = attempt;
    if (receivedAt > readAt.getTime()) continue;
    const event = bodies.get(eventId);
    const isSame = event?.variant_a_body === body || isErasedSince(body, event?.variant_a_body);
    tally.expect(isSame, () => `${path} got other bytes as ${eventId} than are on record`);
    const webhook = webhooks.get(path);
    const isOwn = webhook !== undefined && webhook.id === event?.workspace_id;
    tally.expect(isOwn, () => `${path} got event ${eventId} of another workspace`);
    const isSigned = webhook !== undefined && attempt.signature === sign(attempt, webhook.secret);
    tally.expect(isSigned, () => `${path}: the signature of ${eventId} is wrong`);
  }
}

/** An operator erased the number or the address, after the endpoint got it. Only `data` changes. */
export function isErasedSince(received: string, stored = ''): boolean {
  if (!ERASED.test(stored)) return false;
  const [before, after] = [received, stored].map((body) => JSON.parse(body) as Body);
  return JSON.stringify({ ...before, data: null }) === JSON.stringify({ ...after, data: null });
}

function sign({ body }: ReceivedAttempt, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
