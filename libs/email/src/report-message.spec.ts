import { describe, expect, it } from '@jest/globals';
import { readReportMessage } from './report-message.js';

interface Parts {
  type?: string;
  reportType?: string;
  part?: string;
  fields?: string;
  extra?: string;
  boundary?: string;
}

const RECIPIENT = 'Final-Recipient: rfc822; ada@example.com\r\nAction: failed\r\nStatus: 5.1.1';
const FAILED = `Reporting-MTA: dns; mx.example.com\r\n\r\n${RECIPIENT}`;

function message({
  type = 'multipart/report',
  reportType = 'delivery-status',
  part = 'message/delivery-status',
  fields = FAILED,
  extra = '',
  boundary = 'b',
}: Parts = {}): Buffer {
  const lines = [
    'From: MAILER-DAEMON@mx.example.com',
    'Subject: Undelivered',
    'MIME-Version: 1.0',
    `Content-Type: ${type}; report-type=${reportType}; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain',
    '',
    'It did not work.',
    `--${boundary}`,
    `Content-Type: ${part}`,
    '',
    fields,
    ...(extra === '' ? [] : [`--${boundary}`, extra]),
    `--${boundary}--`,
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

const feedback = (fields: string) =>
  message({ reportType: 'feedback-report', part: 'message/feedback-report', fields });
const status = (fields: string) => message({ fields: `Reporting-MTA: dns; x\r\n\r\n${fields}` });

describe('a report', () => {
  it.each([
    ['failed, 5.1.1', message(), { kind: 'bounced', suppress: true }],
    [
      'failed with LF lines',
      Buffer.from(message().toString().replaceAll('\r\n', '\n')),
      { kind: 'bounced' },
    ],
    ['delivered', status('Action: delivered\r\nStatus: 2.1.5'), { kind: 'delivered' }],
    ['expanded', status('Action: expanded (list)\r\nStatus: 2.1.5'), { kind: 'delivered' }],
    ['delayed', status('Action: delayed\r\nStatus: 4.4.1'), { kind: 'delayed', code: '4.4.1' }],
    [
      'a folded diagnosis',
      status('Action: failed\r\nStatus: 5.0.0\r\nDiagnostic-Code: smtp;\r\n 550 5.2.2 full'),
      { kind: 'bounced', bounce: { type: 'transient', sub_type: 'mailbox_full' }, suppress: false },
    ],
    [
      'abuse',
      feedback('Feedback-Type: abuse\r\nVersion: 1'),
      { kind: 'complained', type: 'abuse' },
    ],
    ['fraud', feedback('Feedback-Type: Fraud'), { kind: 'complained', type: 'fraud' }],
    ['a mixed message', message({ type: 'multipart/mixed' }), { kind: 'bounced' }],
    ['a report without a type', message({ reportType: '' }), { kind: 'bounced' }],
    [
      'chasquid 1.11 and Postfix 3.7.11: addresses in UTF-8',
      message({ part: 'message/global-delivery-status' }),
      { kind: 'bounced', suppress: true },
    ],
    [
      'a type of report that repeats the type of its part',
      message({
        reportType: 'global-delivery-status',
        part: 'message/global-delivery-status',
      }),
      { kind: 'bounced', suppress: true },
    ],
    [
      'a report one level down',
      message({
        type: 'multipart/mixed',
        part: 'text/plain',
        extra: `Content-Type: multipart/report; boundary=c\r\n\r\n--c\r\nContent-Type: message/delivery-status\r\n\r\n${FAILED}\r\n--c--`,
      }),
      { kind: 'bounced', suppress: true },
    ],
    ...['failure', 'error', 'expired'].map(
      (action) =>
        [
          `the action ${action}`,
          status(`Action: ${action}\r\nStatus: 5.1.1`),
          { kind: 'bounced', suppress: true },
        ] as const,
    ),
    [
      'OpenSMTPD 6.8.0p2: "delayed", and the message is gone',
      status('Action: delayed\r\nStatus: 4.4.7\r\nDiagnostic-Code: smtp; Envelope expired'),
      { kind: 'bounced', bounce: { type: 'transient', sub_type: 'expired' }, suppress: false },
    ],
    [
      'Exim 4.96: the last answer before it gave up',
      status('Action: failed\r\nStatus: 5.0.0\r\nDiagnostic-Code: smtp; 450 4.2.0 later'),
      { kind: 'bounced', bounce: { type: 'transient', sub_type: 'expired' }, suppress: false },
    ],
    [
      'Haraka 3.3.4: a reason beside the status',
      status('Action: failed\r\nStatus: 5.1.2 (550 Tried all MXs)'),
      { kind: 'bounced', bounce: { message: '550 Tried all MXs' }, suppress: false },
    ],
    [
      'a report with a large email behind it',
      message({
        extra: `Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\n${'x'.repeat(3_000_000)}`,
      }),
      { kind: 'bounced', suppress: true },
    ],
  ])('%s', async (_title, raw, meaning) => {
    expect(await readReportMessage(raw)).toMatchObject(meaning);
  });
});

/** A report as OpenSMTPD 6.8 writes it. */
function ofOpenSmtpd(
  answer: string,
  { action = 'failed', code = '5.0.0', more = '' } = {},
): Buffer {
  const lines = [
    'Subject: Delivery status notification: failed',
    'From: Mailer Daemon <MAILER-DAEMON@relay.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed;boundary="69556/relay.example"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--69556/relay.example',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    '    Hi!',
    '',
    `gone@example.com: ${answer}`,
    more,
    '    Below is a copy of the original message:',
    '',
    '--69556/relay.example',
    'Content-Description: Delivery Report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.example',
    '',
    'Final-Recipient: rfc822; gone@example.com',
    `Action: ${action}`,
    `Status: ${code}`,
    '',
    '--69556/relay.example',
    'Content-Description: Message headers',
    'Content-Type: text/rfc822-headers',
    '',
    'Subject: x',
    '',
    '--69556/relay.example--',
  ];
  return Buffer.from(lines.join('\r\n'));
}

describe('a report of OpenSMTPD', () => {
  it.each([
    ['550 5.1.1 no such user', { type: 'permanent', sub_type: 'no_email' }, true],
    ['550 no such user', { type: 'permanent', sub_type: 'no_email' }, true],
    ['552 5.2.2 full', { type: 'transient', sub_type: 'mailbox_full' }, false],
    ['550 5.7.1 spam', { type: 'permanent', sub_type: 'content_rejected' }, false],
    ['Hop count exceeded', { type: 'permanent', sub_type: 'general' }, false],
  ])('%s', async (answer, bounce, suppress) => {
    const read = await readReportMessage(ofOpenSmtpd(answer));
    expect(read).toMatchObject({ kind: 'bounced', bounce, suppress });
  });

  it('suppresses no address when it names two recipients, and reports nothing for a relayed one', async () => {
    const two = ofOpenSmtpd('550 5.1.1 no such user', { more: 'b@example.com: 550 5.1.1 no' });
    expect(await readReportMessage(two)).toMatchObject({ kind: 'bounced', suppress: false });
    const relayed = ofOpenSmtpd('', { action: 'relayed', code: '2.0.0' });
    expect(await readReportMessage(relayed)).toMatchObject({ kind: 'other' });
  });
});

const nested = (depth: number) => {
  let body = 'Content-Type: text/plain\r\n\r\nend';
  for (let level = 0; level < depth; level += 1) {
    body = `Content-Type: multipart/mixed; boundary=x${level}\r\n\r\n--x${level}\r\n${body}\r\n--x${level}--`;
  }
  return Buffer.from(body);
};

const IGNORED: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['a reply', Buffer.from('Subject: Re: hi\r\n\r\nThanks.')],
  ['an out-of-office note', Buffer.from('Auto-Submitted: auto-replied\r\n\r\nI am away.')],
  ['words that look like a report', Buffer.from(`Subject: x\r\n\r\n${FAILED}`)],
  ['another kind of report', message({ reportType: 'disposition-notification' })],
  ['status as text', message({ part: 'text/plain' })],
  ['no action', status('Status: 5.1.1')],
  ['an unknown action', status('Action: exploded\r\nStatus: 5.1.1')],
  ['relayed, which says nothing of the mailbox', status('Action: relayed\r\nStatus: 2.0.0')],
  ['a failure that succeeded', status('Action: failed\r\nStatus: 2.0.0')],
  ['two fates', status(`${RECIPIENT}\r\n\r\nAction: delivered\r\nStatus: 2.1.5`)],
  ['fifty-one recipients', status(Array(51).fill(RECIPIENT).join('\r\n\r\n'))],
  ['two reports', message({ extra: `Content-Type: message/delivery-status\r\n\r\n${FAILED}` })],
  [
    'a report within a returned message',
    message({
      part: 'text/plain',
      extra: `Content-Type: message/rfc822\r\n\r\n${message({ boundary: 'inner' }).toString()}`,
    }),
  ],
  ['a DMARC report', feedback('Feedback-Type: auth-failure')],
  ['a complaint without a type', feedback('Version: 1')],
  ['a megabyte of headers', Buffer.from(`${'X: y\r\n'.repeat(150_000)}\r\n`)],
  ['a status of a megabyte', message({ fields: `${FAILED}\r\nX: ${'y'.repeat(900_000)}` })],
  [
    'ten thousand parts',
    Buffer.from(
      `Content-Type: multipart/report; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(10_000)}`,
    ),
  ],
  ['parts in parts, 5,000 deep', nested(5_000)],
  ['messages in messages', Buffer.from('Content-Type: message/rfc822\r\n\r\n'.repeat(20_000))],
  [
    'a thousand encoded words',
    Buffer.from(`Subject: ${'=?utf-8?B?w6Q=?= '.repeat(1_000)}\r\n\r\n`),
  ],
];

describe('any other message', () => {
  it.each(IGNORED)('%s says nothing', async (_title, raw) => {
    // Work that is not linear would take longer than the time-out.
    expect(await readReportMessage(raw)).toMatchObject({ kind: 'other' });
  });

  it('says why it is ignored, with the unknown word', async () => {
    const ignored = async (raw: Buffer) => readReportMessage(raw);
    expect(await ignored(status('Action: Exploded <b>\r\nStatus: 5.1.1'))).toEqual({
      kind: 'other',
      reason: 'unknown_word',
      word: 'exploded',
    });
    expect(await ignored(Buffer.from('Subject: Re: hi\r\n\r\nThanks.'))).toEqual({
      kind: 'other',
      reason: 'no_report',
    });
    expect(await ignored(status('Status: 5.1.1'))).toMatchObject({ reason: 'no_result' });
  });
});
