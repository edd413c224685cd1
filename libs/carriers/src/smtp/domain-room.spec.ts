import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DomainRoom } from './domain-room.js';

const PATIENCE_MS = 1_000;
const PLACES = 3;
const DOMAIN_PLACES = 2;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a place in the room of an account', () => {
  let room: DomainRoom;
  const enter = (domain: string) => room.enter(domain, PATIENCE_MS);

  beforeEach(() => {
    room = new DomainRoom(PLACES, DOMAIN_PLACES);
  });

  it('is waited for a time where only its domain is full', async () => {
    await enter('slow.example');
    await enter('slow.example');
    const third = enter('slow.example');
    jest.advanceTimersByTime(PATIENCE_MS - 1);
    expect(await Promise.race([third, 'still waits'])).toBe('still waits');
    jest.advanceTimersByTime(1);
    expect(await third).toBeNull();
    expect(await enter('other.example')).not.toBeNull();
  });

  it('is waited for as long as the whole account is full', async () => {
    const [leave] = await Promise.all(['a.example', 'b.example', 'c.example'].map(enter));
    const fourth = enter('d.example');
    jest.advanceTimersByTime(5 * PATIENCE_MS);
    expect(await Promise.race([fourth, 'still waits'])).toBe('still waits');
    leave!();
    expect(await fourth).not.toBeNull();
  });
});
