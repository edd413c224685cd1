import { describe, expect, it } from '@jest/globals';
import { bounceOfStatus, meaningOf, safeAnswerText, type SmtpStage } from './smtp-answer.policy.js';

/** Describes the meaning, for example `bounced permanent no_email suppressed`. */
function inWords(stage: SmtpStage, text: string): string {
  const judged = meaningOf(stage, { code: Number(text.slice(0, 3)), text });
  if (judged.meaning !== 'bounced') return judged.meaning;
  const { type, sub_type } = judged.bounce;
  return [type, sub_type, ...(judged.suppress ? ['suppressed'] : [])].join(' ');
}

describe('an answer of an SMTP server', () => {
  it.each<[SmtpStage, string, string]>([
    ['connect', '421 too busy', 'provider_unavailable'],
    ['connect', '554 no service', 'provider_refused'],
    ['auth', '454 4.7.0 later', 'provider_unavailable'],
    ['auth', '535 5.7.8 bad credentials', 'provider_refused'],
    ['mail', '451 4.3.0 later', 'provider_unavailable'],
    ['mail', '550 5.7.1 sender refused', 'provider_refused'],
    ['mail', '530 5.7.0 authenticate first', 'provider_refused'],
    ['rcpt', '250 2.1.5 ok', 'accepted'],
    ['rcpt', '421 4.3.2 closing', 'provider_unavailable'],
    ['rcpt', '450 4.2.1 greylisted', 'deferred'],
    ['rcpt', '452 4.2.2 mailbox full', 'deferred'],
    ['rcpt', '550 5.1.1 no such user', 'permanent no_email suppressed'],
    ['rcpt', '550 5.1.10 null MX', 'permanent no_email suppressed'],
    ['rcpt', '550 5.2.1 disabled', 'permanent mailbox_disabled suppressed'],
    ['rcpt', '550 no such user', 'permanent no_email suppressed'],
    ['rcpt', '551 moved', 'permanent no_email suppressed'],
    ['rcpt', '553 bad name', 'permanent no_email suppressed'],
    ['rcpt', '552 over quota', 'transient mailbox_full'],
    ['rcpt', '552 5.2.2 over quota', 'transient mailbox_full'],
    ['rcpt', '552 5.3.4 too large', 'transient message_too_large'],
    ['content', '552 5.3.4 too large', 'transient message_too_large'],
    ['content', '552 5.2.3 too large', 'transient message_too_large'],
    ['content', '552 5.0.0 no', 'transient mailbox_full'],
    ['content', '552 5.7.0 virus', 'content_rejected'],
    ['content', '554 5.3.4 too large', 'permanent message_too_large'],
    ['rcpt', '550 5.2.2 over quota', 'transient mailbox_full'],
    ['rcpt', '550 5.2.3 too large', 'permanent message_too_large'],
    ['rcpt', '550 5.7.1 policy', 'content_rejected'],
    ['rcpt', '554 refused', 'permanent general'],
    ['rcpt', '550 5.4.4 no route', 'permanent general'],
    ['data', '354 go on', 'accepted'],
    ['data', '451 later', 'deferred'],
    ['data', '554 no valid recipients', 'permanent general'],
    ['content', '250 queued', 'accepted'],
    ['content', '451 4.7.1 later', 'deferred'],
    ['content', '421 closing', 'provider_unavailable'],
    ['content', '550 5.7.26 unauthenticated', 'content_rejected'],
    ['content', '554 5.6.0 malformed', 'permanent content_rejected'],
    ['content', '550 said no', 'permanent general'],
    ['content', '552 storage exceeded', 'transient mailbox_full'],
    ['content', '550 5.1.1 no such user', 'permanent no_email suppressed'],
  ])('%s: %s is %s', (stage, text, words) => expect(inWords(stage, text)).toBe(words));

  it('is shown on one line, without controls, with both codes', () => {
    const text = '550-5.1.1 The account\r\n550 5.1.1 does \u001b[31mnot exist';
    const judged = meaningOf('rcpt', { code: 550, text });
    expect(judged).toMatchObject({ bounce: { code: '550 5.1.1' } });
    expect(safeAnswerText(text)).toBe('550-5.1.1 The account 550 5.1.1 does [31mnot exist');
  });
});

describe('the status of a failed delivery', () => {
  it.each([
    ['5.1.1', 'smtp; 550 5.1.1 no', 'permanent', 'no_email', true],
    ['5.2.1', null, 'permanent', 'mailbox_disabled', true],
    ['5.0.0', '550 5.1.1 no such user', 'permanent', 'no_email', true],
    ['5.0.0', '550 no such user', 'permanent', 'no_email', true],
    [null, null, 'permanent', 'general', false],
    ['5.2.2', null, 'transient', 'mailbox_full', false],
    ['5.3.4', 'smtp; 552 5.3.4 too large', 'transient', 'message_too_large', false],
    ['5.3.4', null, 'permanent', 'message_too_large', false],
    ['5.7.1', 'smtp; 552 5.7.1 spam', 'permanent', 'content_rejected', false],
    ['4.4.7', 'expired', 'transient', 'expired', false],
    ['5.7.1', '550 5.7.1 spam', 'permanent', 'content_rejected', false],
    ['5.4.6', null, 'permanent', 'general', false],
  ])('%s %j is %s %s', (status, diagnostic, type, sub_type, suppress) => {
    const judged = bounceOfStatus(status, diagnostic);
    expect(judged).toMatchObject({ bounce: { type, sub_type }, suppress });
  });
});
