import { describe, expect, it } from '@jest/globals';
import { isErasedSince } from './event.check.ts';

const body = (data: object, sequence = 7) => JSON.stringify({ event: 'sms.sent', data, sequence });
const received = body({ id: '1', to: '+2348031234567', message: 'Hi' });

describe('the bytes that an endpoint got of an event that was erased', () => {
  it.each([['+234•••••'], ['+•••••'], ['erased@erased.invalid']])('may differ: %s', (to) => {
    expect(isErasedSince(received, body({ id: '1', to, message: '' }))).toBe(true);
  });

  it.each([
    ['another sequence', body({ to: '+234•••••' }, 8)],
    ['a mask that shows digits', body({ to: '+234•••••567' })],
    ['bullets in a text', body({ to: '+2348031234567', message: 'Unknown +234•••••' })],
    ['no receiver that was erased', body({ to: '+2348031234568' })],
  ])('may not differ with %s', (_, stored) => {
    expect(isErasedSince(received, stored)).toBe(false);
  });

  it('may not differ where there is no event', () => {
    expect(isErasedSince(received, undefined)).toBe(false);
  });
});
