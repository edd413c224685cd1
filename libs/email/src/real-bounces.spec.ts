/** Bounces that mail servers wrote, byte for byte, with the names of documentation (RFC 2606). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readReportMessage } from './report-message.js';

const FIXTURES = join(import.meta.dirname, '../fixtures/bounces');

const TITLES = {
  chasquid: 'chasquid 1.11',
  courier: 'Courier 1.0.16',
  dma: 'dma 0.13',
  exim: 'Exim 4.96',
  haraka: 'Haraka 3.3.4',
  maddy: 'maddy 0.8.2',
  notqmail: 'notqmail 1.09',
  nullmailer: 'nullmailer 2.2',
  opensmtpd: 'OpenSMTPD 6.8.0p2',
  postfix: 'Postfix 3.7.11',
  sendmail: 'sendmail 8.17.1.9',
} as const;

const NO_EMAIL = 'permanent no_email, suppressed';
const LATE = 'transient expired';
/** By what the next server or the relay meant: each program says it in its own way. */
const MEANINGS: Readonly<Record<string, string>> = {
  // 550 5.1.1 User unknown, with and without the enhanced code.
  nouser: NO_EMAIL,
  bare: NO_EMAIL,
  // 550 relay not permitted
  norelay: 'permanent general',
  // 553 5.1.8 Domain of sender address does not exist
  sender: 'permanent general',
  // 550 This message looks like spam
  spambare: 'permanent content_rejected',
  // 554 5.7.1 Client host blocked
  listed: 'permanent content_rejected',
  // 552 Message too big!
  bigbare: 'transient message_too_large',
  // Larger than the next server's SIZE.
  small: 'permanent message_too_large',
  // 552 5.2.2 Mailbox full, 552 without the enhanced code, 452 4.2.2 until the end.
  full: 'transient mailbox_full',
  fullbare: 'transient mailbox_full',
  fulltemp: 'transient mailbox_full',
  // 450 and 451 until the end, no server until the end.
  grey: LATE,
  later: LATE,
  down: LATE,
  // No such domain, and a domain with a null MX (RFC 7505).
  nxdomain: 'permanent general',
  nullmx: NO_EMAIL,
  delayed: 'delayed',
};

function wordsOf(read: Awaited<ReturnType<typeof readReportMessage>>): string {
  if (read.kind !== 'bounced') return read.kind;
  const { type, sub_type: subType } = read.bounce;
  return `${type} ${subType}${read.suppress ? ', suppressed' : ''}`;
}

const cases = Object.entries(TITLES).flatMap(([program, title]) =>
  readdirSync(join(FIXTURES, program)).map((file) => [title, program, file] as const),
);

describe('a bounce', () => {
  it.each(cases)('of %s: %s/%s', async (_title, program, file) => {
    const read = await readReportMessage(readFileSync(join(FIXTURES, program, file)));
    expect(wordsOf(read)).toBe(MEANINGS[file.replace('.eml', '')]);
  });

  it('of nullmailer that names its next try is a delay', async () => {
    const raw = readFileSync(join(FIXTURES, 'nullmailer/grey.eml'), 'latin1');
    const waiting = raw.replace('Action: delayed', 'Action: delayed\r\nWill-Retry-Until: later');
    expect(await readReportMessage(Buffer.from(waiting, 'latin1'))).toMatchObject({
      kind: 'delayed',
    });
  });
});
