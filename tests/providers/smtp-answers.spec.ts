/**
 * The matrix of `docs/reference/smtp-answers.md`, against the SMTP carrier and a server that says
 * each answer at each stage. The server of npm, which others wrote, says them where it can.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { SmtpStage } from '@watchword/email';
import type { EmailOutcome } from '../../libs/carriers/src/email-provider.port.js';
import { type Command, ScriptedSmtp } from '../../libs/carriers/src/smtp/scripted-smtp.kit.js';
import { adapterTo, submitOf } from '../../libs/carriers/src/smtp/smtp-adapter.kit.js';
import {
  silenceIn,
  SMTP_ANSWERS,
  SMTP_STAGES,
  smtpAnswersReference,
  wordsOf,
} from '../../tools/smtp-documents.js';

const EMAIL = submitOf(Buffer.from('From: a@b.example\r\nSubject: x\r\n\r\nHi\r\n'), 10_000);

/** Commands at which a script's answer comes at this stage, and what the server offers for it. */
const AT: Record<SmtpStage, readonly (readonly [Command, readonly string[]])[]> = {
  connect: [
    ['greeting', []],
    ['EHLO', ['STARTTLS']],
    ['STARTTLS', ['STARTTLS']],
  ],
  auth: [['AUTH', ['AUTH PLAIN']]],
  mail: [
    ['MAIL', []],
    ['MAIL', ['PIPELINING']],
  ],
  rcpt: [
    ['RCPT', []],
    ['RCPT', ['PIPELINING']],
  ],
  data: [
    ['DATA', []],
    ['DATA', ['PIPELINING']],
  ],
  content: [
    ['dot', []],
    ['dot', ['PIPELINING']],
  ],
};

function inWords(outcome: EmailOutcome): string {
  switch (outcome.outcome) {
    case 'bounced':
      return outcome.suppress ? `${outcome.bounce.type}, suppressed` : outcome.bounce.type;
    case 'deferred':
      return 'later';
    case 'refused':
      return outcome.temporary ? 'next provider, or later' : 'next provider';
    default:
      return outcome.outcome;
  }
}

async function answered(command: Command, extensions: readonly string[], answer: string) {
  const server = await ScriptedSmtp.open({ script: { [command]: answer }, extensions });
  const adapter = adapterTo(server.port, {
    // A server without EHLO is spoken to in the clear otherwise.
    ...((command === 'STARTTLS' || command === 'EHLO') && { security: 'starttls' }),
    ...(command === 'AUTH' && { username: 'ada', password: 'a password' }),
  });
  try {
    const words = inWords(await adapter.submit(EMAIL));
    return { words, messages: server.messages.length };
  } finally {
    await adapter.stop();
    await server.close();
  }
}

const places = SMTP_STAGES.flatMap(([stage]) =>
  AT[stage].map(([command, extensions]) => ({ stage, command, extensions })),
);

describe('decisions 26: every answer of the matrix', () => {
  it.each(places)('at $command ($extensions)', async ({ stage, command, extensions }) => {
    for (const answer of [...SMTP_ANSWERS, 'reset', 'half']) {
      const isAnswer = /^\d/.test(answer);
      const { words, messages } = await answered(command, extensions, answer);
      const expected = isAnswer ? wordsOf(stage, answer) : silenceIn(stage);
      expect([answer, words]).toEqual([answer, expected]);
      // An email that is not reported as sent was not sent, unless only its last answer failed.
      expect(messages).toBe(stage === 'content' ? 1 : 0);
    }
  });
});

it('docs/reference/smtp-answers.md is as the code has it', () => {
  const file = join(import.meta.dirname, '../../docs/reference/smtp-answers.md');
  expect(readFileSync(file, 'utf8')).toBe(smtpAnswersReference());
});
