import { describe, expect, it } from '@jest/globals';
import { termiiSignature } from './termii-signature.js';

describe('termiiSignature', () => {
  it('matches a delivery report', () => {
    const report = {
      type: 'outbound',
      id: 'b6f1c2',
      message_id: '3017544054459083819856413',
      receiver: '2348031234567',
      sender: 'Acme',
      message: 'Your code is 123456',
      sent_at: '2026-11-20 08:00:00',
      cost: '4',
      status: 'DELIVERED',
      channel: 'DND',
    };
    expect(termiiSignature('termii_secret', JSON.stringify(report))).toBe(
      '038a5273bf905ee6c7f4f819377cb9871ae19fd637120c7ad26bd6627bdbdf40' +
        'd1e1bd5582fc1ba65fdcbc2ca691b7c0ed9d0ea55055cab89addba8c45c63834',
    );
  });
});
