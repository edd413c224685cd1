import { describe, expect, it } from '@jest/globals';
import { EmailTokens } from '@watchword/email';
import type { JsonObject } from '../http/json-object.js';
import { reportOf } from './ses-event.js';
import { TAG_NAME, tagOf } from './ses-tag.js';

const tokens = EmailTokens.of('a-callback-secret-0123456789');
const ref = { emailId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e12', recipient: 1 };
const nowMs = Date.UTC(2026, 10, 28);
const { Value } = tagOf(`${tokens.returnPath(ref, nowMs + 86_400_000)}@send.example.com`);
const mail = { tags: { [TAG_NAME]: [Value] } };
const read = (event: JsonObject) => reportOf({ ...event, mail }, 'sns:1', tokens, nowMs);

const bounce = (bounceSubType: string, status?: string, diagnosticCode?: string) =>
  read({
    eventType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bounceSubType,
      bouncedRecipients: [{ status, diagnosticCode }],
    },
  });

describe('an event of Amazon SES', () => {
  it('is a bounce where SES did not try to send: its list of the account', () => {
    const complaint = {
      complaintSubType: 'OnAccountSuppressionList',
      complaintFeedbackType: 'abuse',
      timestamp: '2026-11-28T10:00:00.000Z',
    };
    expect(read({ eventType: 'Complaint', complaint })).toMatchObject({
      ...ref,
      kind: 'bounced',
      bounce: { type: 'permanent', sub_type: 'suppressed' },
      suppress: true,
      occurredAt: '2026-11-28T10:00:00.000Z',
    });
    expect(read({ eventType: 'Complaint', complaint: {} })).toMatchObject({ kind: 'complained' });
  });

  it.each([
    ['NoEmail', undefined, undefined, true],
    ['General', '5.1.1', 'smtp; 550 5.1.1 user unknown', true],
    ['General', '5.7.1', 'smtp; 554 5.7.1 spam', false],
    ['General', '5.0.0', 'smtp; 550 relay not permitted', false],
    ['General', undefined, undefined, false],
  ])('of sub type %s with %s %j suppresses the address: %s', (type, status, text, suppress) => {
    expect(bounce(type, status, text)).toMatchObject({ kind: 'bounced', suppress });
  });
});
