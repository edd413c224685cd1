import { describe, expect, it } from '@jest/globals';
import { readReportMessage } from './report-message.js';

function message(headers: readonly string[], lines: readonly string[]): Buffer {
  return Buffer.from([...headers, '', ...lines, ''].join('\r\n'));
}

const qmail = (...reason: string[]) =>
  message(
    ['From: MAILER-DAEMON@relay.example', 'Subject: failure notice'],
    [
      'Hi. This is the qmail-send program at relay.example.',
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      "This is a permanent error; I've given up. Sorry it didn't work out.",
      '',
      '<gone@example.com>:',
      ...reason,
      '',
      '--- Below this line is a copy of the message.',
      '',
      'Subject: 550 5.1.1 no such user',
    ],
  );

const dma = (...reason: string[]) =>
  message(
    ['From: MAILER-DAEMON <>', 'Subject: Mail delivery failed'],
    [
      'This is the DragonFly Mail Agent v0.13 at relay.example.',
      '',
      'There was an error delivering your mail to <gone@example.com>.',
      '',
      ...reason,
      '',
      'Message headers follow.',
      '',
      'Received: from relay.example',
    ],
  );

const exim = (headers: readonly string[], ...reason: string[]) =>
  message(
    ['From: Mail Delivery System <Mailer-Daemon@relay.example>', ...headers],
    [
      'This message was created automatically by mail delivery software.',
      '',
      ...reason,
      '',
      '------ This is a copy of the message, including all the headers. ------',
      '',
      'Subject: x',
    ],
  );
const FAILED_AT_EXIM = ['X-Failed-Recipients: gone@example.com', 'Subject: Mail delivery failed'];

const NO_USER = { type: 'permanent', sub_type: 'no_email' };
const GENERAL = { type: 'permanent', sub_type: 'general' };
const LATE = { type: 'transient', sub_type: 'expired' };

describe('a bounce in text', () => {
  it.each([
    [
      'notqmail: the answer of the next server',
      qmail(
        '192.0.2.1 does not like recipient.',
        'Remote host said: 550 5.1.1 User unknown',
        'Giving up on 192.0.2.1.',
      ),
      NO_USER,
      true,
    ],
    ...['#550 5.1.1 RESOLVER.ADR; not found ##', '550: 5.1.1 User unknown'].map(
      (answer) => [`an answer written ${answer}`, qmail(answer), NO_USER, true] as const,
    ),
    [
      'notqmail: its own code',
      qmail('Sorry, no mailbox here by that name. (#5.1.1)'),
      NO_USER,
      true,
    ],
    [
      'notqmail: a refused relay',
      qmail(
        '192.0.2.1 failed after I sent the message.',
        'Remote host said: 550 relay not permitted',
      ),
      GENERAL,
      false,
    ],
    [
      'notqmail: no code',
      qmail('Sorry, I could not find any host. Call 480-624-2500.'),
      GENERAL,
      false,
    ],
    [
      'notqmail: given up',
      qmail(
        'Connected to 192.0.2.1 but sender was rejected.',
        'Remote host said: 451 later',
        "I'm not going to try again; this message has been in the queue too long.",
      ),
      LATE,
      false,
    ],
    [
      'dma 0.13: the answer of the next server',
      dma('mx.example.com [192.0.2.1] did not like our RCPT TO:', '550 5.1.1 no such user'),
      NO_USER,
      true,
    ],
    [
      'dma 0.13: spam',
      dma('final DATA:', '554 5.7.1 spam'),
      { sub_type: 'content_rejected' },
      false,
    ],
    [
      'dma 0.13: given up',
      dma('Could not deliver for the last 432000 seconds. Giving up.'),
      LATE,
      false,
    ],
    ['dma 0.13: no code', dma('DNS lookup failure: host gone.example not found'), GENERAL, false],
    [
      'Exim with X-Failed-Recipients',
      exim(
        FAILED_AT_EXIM,
        '  gone@example.com',
        '    SMTP error from remote mail server after RCPT TO:<gone@example.com>:',
        '    host mx.example.com [192.0.2.1]: 550 No such user here',
      ),
      NO_USER,
      true,
    ],
    ['Exim without an answer', exim(FAILED_AT_EXIM, '  gone@example.com'), GENERAL, false],
    [
      'Exim: given up',
      exim(FAILED_AT_EXIM, '  gone@example.com', '    retry timeout exceeded'),
      LATE,
      false,
    ],
  ])('%s', async (_title, raw, bounce, suppress) => {
    const read = await readReportMessage(raw);
    expect(read).toMatchObject({ kind: 'bounced', bounce, suppress });
  });

  it.each([
    [
      'Exim: a warning',
      exim(
        ['Subject: Warning: message 1x delayed 24 hours'],
        'has not yet been delivered: 450 later',
      ),
      'delayed',
    ],
    [
      'an out-of-office note from a person',
      message(
        ['From: Ada <ada@example.com>', 'Auto-Submitted: auto-replied', 'Subject: Failed exam'],
        ['I am away. Call 550 1234. The user is unknown.'],
      ),
      'other',
    ],
    [
      'a note of a robot about something else',
      message(['From: postmaster@example.com', 'Subject: Welcome'], ['Your ticket is 550 1.']),
      'other',
    ],
    [
      'a reply',
      message(['From: ada@example.com', 'Subject: Re: x'], ['> 550 no such user']),
      'other',
    ],
  ])('%s', async (_title, raw, kind) => {
    expect(await readReportMessage(raw)).toMatchObject({ kind });
  });
});
