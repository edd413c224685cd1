import { randomUUID } from 'node:crypto';

/**
 * Identifiers. Every one is a UUIDv7 (time-ordered, so indexes stay warm), except event ids, which
 * are `evt_` and a UUIDv7 without dashes.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const SEQUENCE_MAX = 0xfff;
let lastMs = 0;
let sequence = 0;

/**
 * Returns a UUIDv7. A counter after the timestamp keeps the ids of one process in order, even
 * within a millisecond or when the clock is set back. 62 random bits follow.
 */
export function newId(): string {
  const nowMs = Date.now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = 0;
  } else if (sequence < SEQUENCE_MAX) {
    sequence += 1;
  } else {
    lastMs += 1;
    sequence = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const order = sequence.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${randomUUID().slice(19)}`;
}

/** Returns a bound that sorts before every id drawn at or after the time. */
export function idFloor(atMs: number): string {
  const time = Math.max(0, atMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

export function newEventId(): string {
  return eventIdOf(newId());
}

/** Returns a bound that sorts before every event id drawn at or after the time. */
export function eventIdFloor(atMs: number): string {
  return eventIdOf(idFloor(atMs));
}

function eventIdOf(id: string): string {
  return `evt_${id.replaceAll('-', '')}`;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
