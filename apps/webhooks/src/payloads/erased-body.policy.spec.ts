import { describe, expect, it } from '@jest/globals';
import { erasedBody, soughtOf } from './erased-body.policy.js';

const NUMBER = '+2348031234567';
const ADDRESS = 'ada@example.com';
const erasedNumber = (body: string) => erasedBody(body, soughtOf(NUMBER), '+234•••••');
const erasedAddress = (body: string) => erasedBody(body, soughtOf(ADDRESS), 'x@erased.invalid');
const body = (data: object) => JSON.stringify({ event: 'sms.sent', data, sequence: 7 });

describe('the body of an event without a number', () => {
  it('keeps its members in their order, without the number and the words', () => {
    const [before, after] = [
      { id: '1', phone_number: NUMBER, message: `Call ${NUMBER}.`, credit_cost: 5 },
      { id: '1', phone_number: '+234•••••', message: '', credit_cost: 5 },
    ];
    expect(erasedNumber(body(before))).toBe(body(after));
  });

  it('has null for the texts of a record, and no original', () => {
    const texts = { body: 'Hi', message: 'Hi', original_body: 'Hï' };
    const data = { to: NUMBER, ...texts, metadata: { name: 'Ada' }, segments: 1 };
    const erased = { to: '+234•••••', body: null, message: null, metadata: {}, segments: 1 };
    expect(JSON.parse(erasedNumber(body(data))!).data).toEqual(erased);
  });

  it.each([
    ['another number', { to: '+2348031234568' }],
    ['a longer number', { to: '+23480312345678' }],
    ['an id', { id: 'a2348031234567' }],
  ])('is left as it is with %s', (_, data) => {
    expect(erasedNumber(body(data))).toBeNull();
  });

  it('keeps the words of a text to another number, which names it', () => {
    const [before, after] = [NUMBER, '+234•••••'].map((driver) => ({
      ...{ phone_number: '+447700900001', message: `Your driver calls from ${driver}.` },
      metadata: { order: '42' },
    }));
    expect(erasedNumber(body(before!))).toBe(body(after!));
  });

  it('loses the number without its plus sign, too', () => {
    const data = { provider_attempts: [{ error_message: 'Unknown 2348031234567' }] };
    expect(erasedNumber(body(data))).toContain('Unknown +234•••••');
  });
});

describe('the body of an event without an address', () => {
  const email = (more: object, ...addresses: string[]) =>
    body({ recipients: addresses.map((address) => ({ address })), subject: 'Hello', ...more });

  it('loses the name beside it, in any case of letters', () => {
    const found = erasedAddress(email({ to: ['Ada <Ada@example.com>'] }, 'Ada@example.com'));
    expect(JSON.parse(found!).data).toEqual({
      recipients: [{ address: 'x@erased.invalid' }],
      subject: '',
      to: ['x@erased.invalid'],
    });
  });

  it.each(['bada@example.com', 'b.ada@example.com', 'ada@example.com.ng', 'ada@example.common'])(
    'is left as it is with %s',
    (address) => expect(erasedAddress(email({}, address))).toBeNull(),
  );
});
