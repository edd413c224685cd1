import { describe, expect, it } from '@jest/globals';
import { twilioSignature } from './twilio-signature.js';

describe('twilioSignature', () => {
  it('matches the published example', () => {
    const fields = {
      To: '+18005551212',
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
    };
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    expect(twilioSignature('12345', url, fields)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
  });
});
