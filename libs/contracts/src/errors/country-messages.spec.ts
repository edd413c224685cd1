import { describe, expect, it } from '@jest/globals';
import { QUIET_HOURS_MESSAGES, SENDER_MESSAGES } from './country-messages.js';

const UNTIL = '2026-11-27T07:00:00.000Z';

const SENDER = { senderId: 'Ac', countryCode: 'RW', lengthMin: 3, field: 'sender_id' };

describe('the messages about countries', () => {
  it.each(Object.entries(SENDER_MESSAGES))('%s: name country and sender ID', (_, message) => {
    const { en, fr } = message({ ...SENDER, countryCode: 'US' });
    expect(en).toContain('(United States)');
    expect(en).toContain('"Ac"');
    expect(fr).toContain('(États-Unis)');
    expect(fr).toContain('« Ac »');
  });

  it('say how long a sender ID must be', () => {
    const { en } = SENDER_MESSAGES.tooShort(SENDER);
    expect(en).toBe(
      'Sender IDs in the destination country (Rwanda) need at least 3 characters; "Ac" has 2. ' +
        'Use a longer one, or leave sender_id out.',
    );
  });

  it('say how to send without a sender ID where the endpoint needs one', () => {
    const { en, fr } = SENDER_MESSAGES.forbidden({ ...SENDER, field: 'from' });
    expect(en).toContain('use POST /v1/sms/send without sender_id');
    expect(fr).toContain('utilisez POST /v1/sms/send sans sender_id');
  });

  it.each(Object.entries(QUIET_HOURS_MESSAGES))('%s: name country and time', (_, message) => {
    const { en, fr } = message('CM', UNTIL);
    expect(en).toContain('(Cameroon)');
    expect(fr).toContain('(Cameroun)');
    expect([en, fr].map((sentence) => sentence.includes(UNTIL))).toEqual([true, true]);
  });
});
