import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { EmailOutcome } from '../email-provider.port.js';
import { type Script, type ScriptedOptions, ScriptedSmtp } from './scripted-smtp.kit.js';
import { adapterTo, submitOf } from './smtp-adapter.kit.js';
import type { SmtpAdapter, SmtpSettings } from './smtp.adapter.js';

/** Only timeouts are faked. */
const REAL = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
] as const;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const raw = Buffer.from('From: a@b.example\r\nSubject: x\r\n\r\n.hidden dot\r\n..\r\nend\r\n');
const EMAIL = submitOf(raw, 60_000);

const opened: { server: ScriptedSmtp; adapter: SmtpAdapter }[] = [];
afterEach(async () => {
  for (const { server, adapter } of opened.splice(0)) {
    await adapter.stop();
    await server.close();
  }
});

async function open(options: ScriptedOptions, settings: Partial<SmtpSettings> = {}) {
  const server = await ScriptedSmtp.open(options);
  const adapter = adapterTo(server.port, settings);
  await adapter.start();
  opened.push({ server, adapter });
  return { server, adapter };
}

/** Describes an outcome, for example `bounced permanent suppressed` or `refused temporarily`. */
function inWords(outcome: EmailOutcome): string {
  if (outcome.outcome === 'refused') return outcome.temporary ? 'refused temporarily' : 'refused';
  if (outcome.outcome !== 'bounced') return outcome.outcome;
  return `bounced ${outcome.bounce.type}${outcome.suppress ? ' suppressed' : ''}`;
}

const MATRIX: readonly (readonly [Script, string])[] = [
  [{}, 'accepted'],
  [{ greeting: '421 busy' }, 'refused temporarily'],
  [{ greeting: '554 no service here' }, 'refused'],
  [{ greeting: 'reset' }, 'refused temporarily'],
  [{ greeting: 'half' }, 'refused temporarily'],
  [{ greeting: 'what?' }, 'refused temporarily'],
  [{ EHLO: '421 closing' }, 'refused temporarily'],
  // HELO follows.
  [{ EHLO: '502 5.5.1 no such command' }, 'accepted'],
  [{ EHLO: 'reset' }, 'refused temporarily'],
  [{ EHLO: 'half' }, 'refused temporarily'],
  [{ MAIL: '421 4.3.2 closing' }, 'refused temporarily'],
  [{ MAIL: '451 4.3.0 later' }, 'refused temporarily'],
  [{ MAIL: '550 5.7.1 sender refused' }, 'refused'],
  [{ MAIL: 'reset' }, 'refused temporarily'],
  [{ MAIL: 'half' }, 'refused temporarily'],
  [{ RCPT: '421 4.3.2 closing' }, 'refused temporarily'],
  [{ RCPT: '450 4.2.1 greylisted' }, 'deferred'],
  [{ RCPT: '550 5.1.1 no such user' }, 'bounced permanent suppressed'],
  [{ RCPT: '550 5.7.1 policy' }, 'rejected'],
  [{ RCPT: 'reset' }, 'refused temporarily'],
  [{ RCPT: 'half' }, 'refused temporarily'],
  [{ DATA: '421 4.3.2 closing' }, 'refused temporarily'],
  [{ DATA: '451 4.3.0 later' }, 'deferred'],
  [{ DATA: '554 5.5.1 no valid recipients' }, 'bounced permanent'],
  [{ DATA: '550 5.7.1 policy' }, 'rejected'],
  [{ DATA: 'reset' }, 'refused temporarily'],
  [{ DATA: 'half' }, 'refused temporarily'],
  [{ dot: '421 4.3.2 closing' }, 'refused temporarily'],
  [{ dot: '451 4.7.1 later' }, 'deferred'],
  [{ dot: '554 5.7.1 spam' }, 'rejected'],
  // The final dot was written, and no answer came.
  [{ dot: 'reset' }, 'ambiguous'],
  [{ dot: 'half' }, 'ambiguous'],
];

describe('decisions 26: the answers of an SMTP server', () => {
  const cases = MATRIX.flatMap(([script, words]) =>
    [['PIPELINING', 'DSN'], []].map(
      (extensions) =>
        [
          JSON.stringify(script),
          extensions.join('+') || 'plain',
          script,
          words,
          extensions,
        ] as const,
    ),
  );
  it.each(cases)('%s (%s)', async (_title, _kind, script, words, extensions) => {
    const { adapter, server } = await open({ script, extensions });
    const outcome = await adapter.submit(EMAIL);
    expect(inWords(outcome)).toBe(words);
    // An email reported as not sent was not sent, and none was sent twice.
    expect(server.messages.length).toBe(words === 'accepted' || script.dot !== undefined ? 1 : 0);
  });

  it.each(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA'] as const)(
    'silence at %s',
    async (command) => {
      const { adapter, server } = await open({ script: { [command]: 'hang' } });
      const outcome = await adapter.submit({ ...EMAIL, deadlineMs: 400 });
      expect(outcome).toMatchObject({ outcome: 'refused' });
      expect(server.messages).toEqual([]);
    },
  );

  it('waits 60 s for a greeting, as sendmail delays it (RFC 5321 4.5.3.2.1)', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    try {
      for (const isGreeted of [true, false]) {
        const { adapter, server } = await open({ script: { greeting: 'hang' } });
        const submitted = adapter.submit({ ...EMAIL, deadlineMs: 120_000 });
        while (server.connections === 0) await nextTurn();
        for (let turn = 0; turn < 10; turn += 1) await nextTurn();
        jest.advanceTimersByTime(59_000);
        if (isGreeted) server.greet();
        else jest.advanceTimersByTime(2_000);
        expect(inWords(await submitted)).toBe(isGreeted ? 'accepted' : 'refused temporarily');
      }
    } finally {
      jest.useRealTimers();
    }
  });

  it('an email without an answer after the final dot is ambiguous at the deadline', async () => {
    for (const deadlineMs of [500, 5_000, 30_000]) {
      const { adapter, server } = await open({ script: { dot: 'hang' } });
      const outcome = await adapter.submit({ ...EMAIL, deadlineMs });
      if (server.messages.length === 0) continue;
      return expect(outcome).toMatchObject({ outcome: 'ambiguous', rawCode: 'DEADLINE' });
    }
    throw new Error('no final dot was written before its deadline');
  });
});

describe('an SMTP account', () => {
  it('an SMTP account hands the email over unchanged, and requests notifications', async () => {
    const { adapter, server } = await open({ script: {} });
    const outcome = await adapter.submit(EMAIL);
    expect(outcome).toMatchObject({ outcome: 'accepted', delivered: false });
    expect(server.messages).toEqual([raw.toString().replace(/\r\n$/, '')]);
    const envelope = server.commands.filter((line) => /^(MAIL|RCPT)/.test(line)).join('\n');
    expect(envelope).toContain('MAIL FROM:<bounce+abc@send.b.example>');
    expect(envelope).toContain(`ENVID=${EMAIL.emailId}.0.1`);
    expect(envelope).toContain('RCPT TO:<ada@example.com> NOTIFY=SUCCESS,FAILURE,DELAY');
  });

  it('an SMTP account reuses its connections, and replaces a lost one', async () => {
    const { adapter, server } = await open({ script: {} });
    for (let email = 0; email < 5; email += 1) {
      expect(await adapter.submit(EMAIL)).toMatchObject({ outcome: 'accepted' });
    }
    expect(server.connections).toBe(1);
    server.dropConnections();
    expect(await adapter.submit(EMAIL)).toMatchObject({ outcome: 'accepted' });
    expect(server.connections).toBe(2);
    expect(server.messages.length).toBe(6);
  });

  it('a failed log-in is a refusal by the provider', async () => {
    const extensions = ['AUTH PLAIN LOGIN'];
    const account = { username: 'ada', password: 'top-secret-password' };
    const good = await open({ script: {}, extensions }, account);
    expect(await good.adapter.submit(EMAIL)).toMatchObject({ outcome: 'accepted' });
    for (const answer of ['535 5.7.8 bad credentials', '454 4.7.0 later', 'reset', 'half']) {
      const { adapter, server } = await open({ script: { AUTH: answer }, extensions }, account);
      const outcome = await adapter.submit(EMAIL);
      expect(outcome).toMatchObject({ outcome: 'refused' });
      expect(JSON.stringify(outcome)).not.toContain(account.password);
      expect(server.messages).toEqual([]);
    }
  });

  it('emails that are being sent have an outcome when the account stops', async () => {
    for (const [script, outcome] of [
      [{ MAIL: 'hang' }, 'refused'],
      [{ dot: 'hang' }, 'ambiguous'],
    ] as const) {
      const { adapter, server } = await open({ script });
      const submitted = adapter.submit(EMAIL);
      while (!server.commands.some((line) => line.startsWith('MAIL'))) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await adapter.stop();
      expect(await submitted).toMatchObject({ outcome });
    }
  });
});
