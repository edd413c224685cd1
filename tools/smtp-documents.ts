/** Generates a page from the code: the effect of SMTP servers' answers at each stage. */
import { meaningOf, type SmtpStage } from '@watchword/email';

export const SMTP_STAGES: readonly (readonly [SmtpStage, string])[] = [
  ['connect', 'Greeting, EHLO, STARTTLS'],
  ['auth', 'AUTH'],
  ['mail', 'MAIL'],
  ['rcpt', 'RCPT'],
  ['data', 'DATA'],
  ['content', 'After the content'],
];

/** Answers with and without an enhanced code, of each class that matters. */
export const SMTP_ANSWERS = [
  '421 4.3.2 Closing',
  '450 4.2.1 Greylisted',
  '451 4.7.1 Later',
  '452 4.2.2 Mailbox full',
  '454 4.7.0 Later',
  '503 5.5.1 Bad sequence',
  '530 5.7.0 Log in first',
  '535 5.7.8 Bad credentials',
  '550 No such user',
  '550 Relaying denied',
  '550 5.1.1 No such user',
  '550 5.1.10 Null MX',
  '550 5.1.2 Bad domain',
  '550 5.2.1 Mailbox disabled',
  '550 5.2.2 Mailbox full',
  '550 5.4.4 No route',
  '550 5.5.0 Mailbox unavailable',
  '550 5.7.1 Policy',
  '551 Moved',
  '553 5.1.8 Bad sender',
  '552 Mailbox full',
  '552 5.2.2 Mailbox full',
  '552 5.3.4 Too large',
  '553 Bad name',
  '554 Refused',
  '554 5.3.4 Too large',
  '554 5.6.0 Malformed',
  '554 5.7.1 Spam',
] as const;

/** An answer in the words of the page. */
export function wordsOf(stage: SmtpStage, text: string): string {
  const judged = meaningOf(stage, { code: Number(text.slice(0, 3)), text });
  switch (judged.meaning) {
    case 'accepted':
      return 'accepted';
    case 'deferred':
      return 'later';
    case 'content_rejected':
      return 'rejected';
    case 'provider_refused':
      return 'next provider';
    case 'provider_unavailable':
      return 'next provider, or later';
    case 'bounced': {
      const { type } = judged.bounce;
      return judged.suppress ? `${type}, suppressed` : type;
    }
  }
}

/** Returns the effect of a broken connection or a time-out. */
export function silenceIn(stage: SmtpStage): string {
  return stage === 'content' ? 'ambiguous' : 'next provider, or later';
}

/** `docs/reference/smtp-answers.md`. */
export function smtpAnswersReference(): string {
  const rows = SMTP_ANSWERS.map((text) =>
    row([`\`${text}\``, ...SMTP_STAGES.map(([stage]) => wordsOf(stage, text))]),
  );
  const silence = row([
    'no answer, half an answer, a reset',
    ...SMTP_STAGES.map(([stage]) => silenceIn(stage)),
  ]);
  const head = [
    '# Answers of SMTP servers',
    '',
    'Generated from `libs/email/src/smtp-answer.policy.ts`; a spec gives each answer to the SMTP carrier at each stage.',
    '',
    '| Words | Means |',
    '| --- | --- |',
    '| permanent | the recipient is `bounced`, `bounce.type: permanent` |',
    '| permanent, suppressed | the same, and the address goes on the suppression list |',
    '| transient | the recipient is `bounced`, `bounce.type: transient` |',
    '| rejected | the recipient is `failed`, `content_rejected` |',
    '| later | tried again after 1, 5 and 30 minutes, 2 hours, then every 6 hours, for 24 hours; then `bounced`, transient |',
    '| next provider | the next provider is tried; without one the recipient is `failed`, `all_providers_failed` |',
    '| next provider, or later | the next provider is tried; without one, as "later", and `failed` after 24 hours |',
    '| ambiguous | the email may have gone out: no other provider is tried ([ADR 5](../adr/0005-record-an-attempt-before-the-call.md)) |',
    '',
    row(['Answer', ...SMTP_STAGES.map(([, title]) => title)]),
    row(['---', ...SMTP_STAGES.map(() => '---')]),
  ];
  return `${[...head, ...rows, silence].join('\n')}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
