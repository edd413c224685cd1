import {
  bounced,
  complained,
  delayed,
  delivered,
  failed,
  sent,
  touched,
} from './email-change.policy.js';
import {
  attemptsOf,
  type AttemptOutcome,
  type Email,
  type EmailAttempt,
  recipientOf,
  withAttempt,
  withRecipient,
} from './email.js';

/**
 * Test mode hands nothing over: each address plays a script. The magic local parts count at the
 * simulator's domain, with any text after a plus sign. Every other address is delivered after a
 * second.
 */
const TEST_DOMAIN = 'sim.test';
const SECOND_MS = 1_000;

type Act =
  | 'accept'
  | 'defer'
  | 'refuse'
  | 'deliver'
  | 'bounce'
  | 'soft_bounce'
  | 'complain'
  | 'open'
  | 'machine_open'
  | 'click';

interface Step {
  /** Milliseconds after the previous step. */
  readonly afterMs: number;
  readonly act: Act;
}

const now = (act: Act): Step => ({ afterMs: 0, act });
const later = (act: Act, afterMs = SECOND_MS): Step => ({ afterMs, act });
const DELIVERED = [now('accept'), later('deliver')];

const SCRIPTS: Readonly<Record<string, readonly Step[]>> = {
  delivered: DELIVERED,
  bounced: [now('accept'), later('bounce')],
  softbounced: [now('defer'), later('defer'), later('soft_bounce')],
  complained: [...DELIVERED, later('complain')],
  opened: [...DELIVERED, later('open')],
  clicked: [...DELIVERED, later('open'), later('click')],
  machineopened: [...DELIVERED, later('machine_open')],
  delayed: [now('accept'), later('deliver', 60 * SECOND_MS)],
  failed: [now('refuse')],
};

function scriptOf(address: string): readonly Step[] {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const name = local.split('+')[0]!;
  const isMagic = domain === TEST_DOMAIN && Object.hasOwn(SCRIPTS, name);
  return isMagic ? SCRIPTS[name]! : DELIVERED;
}

/** Plays the next step, and those after it that need no wait. */
export function playDue(email: Email, number: number, at: Date): Email {
  const { address, step } = recipientOf(email, number);
  const script = scriptOf(address);
  const current = script[step];
  if (!current) return withRecipient(email, number, { dueAt: null }, at);
  const after = acted(email, number, current.act, at);
  const next = script[step + 1];
  const dueAt = next ? new Date(at.getTime() + next.afterMs) : null;
  const played = withRecipient(after, number, { step: step + 1, dueAt }, at);
  return next?.afterMs === 0 ? playDue(played, number, at) : played;
}

const PERMANENT = {
  type: 'permanent',
  sub_type: 'no_email',
  code: '550 5.1.1',
  message: 'Simulated: no such user.',
} as const;
const TRANSIENT = {
  type: 'transient',
  sub_type: 'mailbox_full',
  code: '552 5.2.2',
  message: 'Simulated: mailbox full.',
} as const;
const AGENT = { ip: '203.0.113.7', user_agent: 'Watchword test mode' };
const CLICK = { url: 'https://example.com/', ...AGENT, machine_click: false };

function acted(email: Email, number: number, act: Act, at: Date): Email {
  switch (act) {
    case 'accept':
      return sent(simulated(email, number, 'accepted', at), number, at);
    case 'defer':
      return delayed(simulated(email, number, 'deferred', at), number, at);
    case 'refuse':
      return failed(refusedByAll(email, number, at), number, 'all_providers_failed', at);
    case 'deliver':
      return delivered(email, number, at);
    case 'bounce':
      return bounced(email, number, PERMANENT, at);
    case 'soft_bounce':
      return bounced(simulated(email, number, 'bounced', at), number, TRANSIENT, at);
    case 'complain':
      return complained(email, number, 'abuse', at);
    case 'open':
      return touched(email, number, { open: { ...AGENT, machine_open: false } }, at);
    case 'machine_open':
      return touched(email, number, { open: { ...AGENT, machine_open: true } }, at);
    case 'click':
      return touched(email, number, { click: CLICK }, at);
  }
}

function refusedByAll(email: Email, number: number, at: Date): Email {
  return ['simulator_1', 'simulator_2'].reduce(
    (after, provider) => simulated(after, number, 'refused', at, provider),
    email,
  );
}

const ANSWERS: Partial<Record<AttemptOutcome, string>> = {
  bounced: TRANSIENT.code,
  deferred: '452 4.2.2',
  refused: '554 5.3.0',
};

function simulated(
  email: Email,
  number: number,
  outcome: AttemptOutcome,
  at: Date,
  provider = 'simulator_1',
): Email {
  const attempt: EmailAttempt = {
    recipient: number,
    number: attemptsOf(email, number).length + 1,
    round: 0,
    provider,
    startedAt: at,
    finishedAt: at,
    outcome,
    wasAmbiguous: false,
    isTemporary: false,
    providerMessageId: outcome === 'accepted' ? `${provider}-${email.id}-${number}` : null,
    rawCode: ANSWERS[outcome] ?? null,
    rawMessage: ANSWERS[outcome] ? 'Simulated.' : null,
    heldBy: null,
  };
  return withAttempt(email, attempt, at);
}
