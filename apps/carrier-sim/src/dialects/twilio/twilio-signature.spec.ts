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

  it('matches a status callback', () => {
    const sid = 'SM00000000000000000000000000000001';
    const fields = {
      MessageSid: sid,
      SmsSid: sid,
      MessageStatus: 'delivered',
      SmsStatus: 'delivered',
      AccountSid: 'AC00000000000000000000000000000001',
      ApiVersion: '2010-04-01',
      From: 'Acme',
      To: '+447700900001',
    };
    const url = 'https://svc.example.com/cb/twilio?mid=1';
    expect(twilioSignature('authtoken', url, fields)).toBe('m/dFLFvMUxnxBQlcdCFfNuFe+4E=');
  });
});
