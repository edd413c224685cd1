import { describe, expect, it, jest } from '@jest/globals';
import { eventIdFloor, idFloor, isUuid, newEventId, newId } from './ids.js';

describe('ids', () => {
  it('are UUIDv7, in order and unique, however fast they are drawn', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect(ids.every((id) => isUuid(id) && id[14] === '7')).toBe(true);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tell when they were drawn', () => {
    const momentOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    // Files of this worker may have drawn ids with a later clock, and ids never go back.
    const later = momentOf(newId()) + 1_000;
    jest.useFakeTimers({ now: later });
    expect(momentOf(newId())).toBe(later);
  });

  it('have a floor for each moment, above all that was drawn before', () => {
    const [from, id, eventId] = [Date.now(), newId(), newEventId()];
    const after = Number.parseInt(eventId.slice(4, 16), 16) + 1;
    expect(idFloor(from) < id && id < idFloor(after)).toBe(true);
    expect(eventIdFloor(from) < eventId && eventId < eventIdFloor(after)).toBe(true);
    expect(isUuid(idFloor(from))).toBe(true);
    expect(eventIdFloor(from)).toHaveLength(eventId.length);
  });

  it('of events carry no dashes', () => {
    expect(newEventId()).toMatch(/^evt_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  });
});
