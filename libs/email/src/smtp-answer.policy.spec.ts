import { describe, expect, it } from '@jest/globals';
import {
  bounceOfStatus,
  enhancedCodeOf,
  meaningOf,
  safeAnswerText,
  type SmtpStage,
} from './smtp-answer.policy.js';

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
    ['auth', '535 5.7.8 bad credentials', 'provider_refused'],
    ['mail', '451 4.3.0 later', 'provider_unavailable'],
    ['mail', '550 5.7.1 sender refused', 'provider_refused'],
    ['rcpt', '250 2.1.5 ok', 'accepted'],
    ['rcpt', '421 4.3.2 closing', 'provider_unavailable'],
    ['rcpt', '450 4.2.1 greylisted', 'deferred'],
    ['rcpt', '452 4.2.2 mailbox full', 'deferred'],
    ['rcpt', '550 5.1.1 no such user', 'permanent no_email suppressed'],
    ['rcpt', '550 5.1.10 null MX', 'permanent no_email suppressed'],
    ['rcpt', '550 5.2.1 disabled', 'permanent mailbox_disabled suppressed'],
    ['rcpt', '550 no such user', 'permanent no_email suppressed'],
    ['rcpt', '551 moved', 'permanent general'],
    ['rcpt', '552 over quota', 'transient mailbox_full'],
    ['rcpt', '552 5.2.2 over quota', 'transient mailbox_full'],
    ['rcpt', '552 5.3.4 too large', 'transient message_too_large'],
    ['content', '552 5.3.4 too large', 'transient message_too_large'],
    ['content', '552 5.7.0 virus', 'content_rejected'],
    ['content', '554 5.3.4 too large', 'permanent message_too_large'],
    ['rcpt', '550 5.2.2 over quota', 'transient mailbox_full'],
    ['rcpt', '550 5.2.3 too large', 'permanent message_too_large'],
    ['rcpt', '550 5.7.1 policy', 'content_rejected'],
    ['rcpt', '550 5.4.4 no route', 'permanent general'],
    ['data', '354 go on', 'accepted'],
    ['data', '451 later', 'deferred'],
    ['data', '554 no valid recipients', 'permanent general'],
    ['content', '250 queued', 'accepted'],
    ['content', '451 4.7.1 later', 'deferred'],
    ['content', '421 closing', 'provider_unavailable'],
    ['content', '550 5.7.26 unauthenticated', 'content_rejected'],
    ['content', '550 said no', 'permanent general'],
    ['content', '552 storage exceeded', 'transient message_too_large'],
    ['content', '550 5.1.1 no such user', 'permanent no_email suppressed'],
  ])('decisions 26: %s: %s is %s', (stage, text, words) =>
    expect(inWords(stage, text)).toBe(words),
  );

  it.each<[string, SmtpStage, string, string]>([
    [
      'sendmail 8.17.1.9',
      'rcpt',
      '553 5.1.8 <a@gone.example>... Domain of sender address a@gone.example does not exist',
      'permanent general',
    ],
    ['Postfix 3.7.11', 'rcpt', '554 5.7.1 <a@b.example>: Relay access denied', 'provider_refused'],
    ['Postfix 3.7.11', 'rcpt', '554 5.7.1 <x>: Client host rejected: no', 'provider_refused'],
    [
      'Postfix 3.7.11',
      'rcpt',
      '550 <a@b.example>: Recipient address rejected: User unknown in relay recipient table',
      'permanent no_email suppressed',
    ],
    [
      'Postfix 3.7.11',
      'rcpt',
      '550 <a@b.example>: Sender address rejected: User unknown',
      'permanent general',
    ],
    ['Exim 4.96', 'rcpt', '550 relay not permitted', 'provider_refused'],
    ['Exim 4.96', 'content', '550 relay not permitted', 'permanent general'],
    ['Exim 4.96', 'content', '550 This message looks like spam', 'permanent content_rejected'],
    ['Exim 4.96', 'content', '550 Message too big!', 'permanent message_too_large'],
    ['Exim 4.96', 'rcpt', '550 Unrouteable address', 'permanent no_email suppressed'],
    [
      'Exim 4.96',
      'rcpt',
      '550-Verification failed for <a@b.example>\n550-No such user here\n550 Sender verify failed',
      'permanent general',
    ],
    ['Courier 1.0.16', 'rcpt', '513 Relaying denied.', 'provider_refused'],
    [
      'notqmail',
      'rcpt',
      "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
      'provider_refused',
    ],
    ['notqmail', 'content', '554 sorry, no relaying (#5.7.1)', 'content_rejected'],
    [
      'notqmail',
      'rcpt',
      '550 sorry, no mailbox here by that name. (#5.1.1)',
      'permanent no_email suppressed',
    ],
    ['IronPort', 'rcpt', '550 #5.1.0 Address rejected.', 'permanent no_email suppressed'],
    ['IronPort', 'rcpt', '550 #5.1.0 User unknown', 'permanent no_email suppressed'],
    ['IronPort', 'content', '554 5.3.4: Message too long', 'permanent message_too_large'],
    [
      'Outlook.com',
      'rcpt',
      '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).',
      'permanent no_email suppressed',
    ],
    [
      'Exchange Online',
      'rcpt',
      '550 5.4.1 [a@b.example]: Recipient address rejected: Access denied.',
      'permanent no_email suppressed',
    ],
    [
      'Gmail',
      'rcpt',
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550 5.2.1 prevents',
      'permanent general',
    ],
    [
      'Yahoo',
      'content',
      "554 delivery error: dd This user doesn't have a yahoo.com account (a@b.example) [0]",
      'permanent no_email suppressed',
    ],
    ['Haraka 3.3.4', 'rcpt', '550 5.1.2 no such domain', 'permanent general'],
    ['Haraka 3.3.4', 'mail', '552 Message too big', 'transient message_too_large'],
    ['a server without DSN', 'rcpt', '555 5.5.4 Unsupported option: NOTIFY', 'provider_refused'],
    ['a server without DSN', 'rcpt', '501 Unknown parameter ORCPT', 'provider_refused'],
    ['any server', 'rcpt', '503 5.5.1 MAIL first', 'provider_refused'],
    ['any server', 'rcpt', '501 5.1.3 Bad address syntax', 'permanent no_email suppressed'],
    ['any server', 'rcpt', '550 You are not a member of this mailing list', 'permanent general'],
    ['any server', 'rcpt', '550 Your account is disabled', 'permanent general'],
    ['any server', 'rcpt', '550 Mailbox unavailable: bad reputation', 'permanent general'],
    ['any server', 'rcpt', '550 Mailbox quota exceeded', 'transient mailbox_full'],
    ['any server', 'rcpt', '552 5.1.1 User unknown', 'permanent no_email suppressed'],
    ['any server', 'rcpt', '550 Originating address does not exist', 'permanent general'],
    ['any server', 'rcpt', '550 User account is expired', 'permanent no_email suppressed'],
    [
      'sendmail',
      'rcpt',
      '553 5.3.0 <a@b.example>... Addressee unknown, relay=[192.0.2.1]',
      'permanent no_email suppressed',
    ],
  ])('%s at %s: %j is %s', (_server, stage, text, words) =>
    expect(inWords(stage, text)).toBe(words),
  );

  it.each([
    ['550 5.7.1 no', '5.7.1'],
    ['550-5.7.1 no', '5.7.1'],
    ['553 no (#5.7.1)', '5.7.1'],
    ['550 #5.1.0 no', '5.1.0'],
    ['552 5.3.4: no', '5.3.4'],
    ['550 [5.1.1] no', '5.1.1'],
    ['550 5.1.1.20 is not a server of ours', null],
    ['550 10.5.1.1 is blocked', null],
    ['550 Exim v4.9.1', null],
  ])('%j has the enhanced code %s', (text, code) => expect(enhancedCodeOf(text)).toBe(code));

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
    // Exim 4.96 and Courier 1.0.16 give up after days.
    ['5.0.0', 'smtp; 450 4.2.0 greylisted', 'transient', 'expired', false],
    ['5.0.0', 'smtp; 451 later', 'transient', 'expired', false],
    ['4.0.0', '550 no such user', 'permanent', 'no_email', true],
    ['5.4.7', null, 'transient', 'expired', false],
    // Haraka 3.3.4 while a domain is down.
    ['5.1.2', '550 Tried all MXs', 'permanent', 'general', false],
    // sendmail 8.17.1.9 derives the status from the basic code.
    ['5.1.1', '550 relay not permitted', 'permanent', 'general', false],
    ['5.1.1', '550 5.7.1 IP address on a blocklist', 'permanent', 'content_rejected', false],
    [
      '5.1.3',
      '553 see http://list.example/?ip=192.0.2.1 about spam',
      'permanent',
      'content_rejected',
      false,
    ],
    ['5.1.1', '550 said no', 'permanent', 'no_email', true],
    ['5.2.0', '550 Unknown user a@b.example', 'permanent', 'no_email', true],
    ['5.2.2', '552 Message too big', 'transient', 'message_too_large', false],
    [
      '5.1.8',
      '553 5.1.8 <a@b>... Domain of sender address does not exist',
      'permanent',
      'general',
      false,
    ],
    [
      '5.0.0',
      'SMTP error after end of data: 552 too much',
      'transient',
      'message_too_large',
      false,
    ],
    ['5.0.0', '552 too much (in reply to RCPT TO command)', 'transient', 'mailbox_full', false],
    ['4.4.7', '550 4.4.7 QUEUE.Expired; message expired', 'transient', 'expired', false],
  ])('%s %j is %s %s', (status, diagnostic, type, sub_type, suppress) => {
    const judged = bounceOfStatus(status, diagnostic);
    expect(judged).toMatchObject({ bounce: { type, sub_type }, suppress });
  });
});
