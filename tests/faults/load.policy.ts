import type { Operation } from '../invariants/client-log.ts';

/** Uniform in [0, 1), the same for the same seed (mulberry32). */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns one of the choices, each as likely as its weight. */
export function choose<Choice extends string>(
  random: Random,
  weights: Readonly<Partial<Record<Choice, number>>>,
): Choice {
  const choices = Object.entries(weights) as [Choice, number][];
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return choices.at(-1)![0];
}

/** How carriers treat a number. `first` is the carrier that its country is routed to. */
export const TREATMENTS = {
  plain: 900,
  refusedByAll: 20,
  refusedByFirst: 20,
  undelivered: 20,
  silent: 10,
  answerLost: 10,
  answerLate: 10,
  reset: 5,
  unavailable: 5,
  throttled: 5,
} as const;
export type Treatment = keyof typeof TREATMENTS;
export type Treatments = Readonly<Partial<Record<Treatment, number>>>;

export function scenarioOf(treatment: Treatment, to: string): Record<string, unknown> | null {
  const provider = isAfrican(to) ? 'africas_talking' : 'twilio';
  switch (treatment) {
    case 'plain':
      return null;
    case 'refusedByAll':
      return { to, submit: { kind: 'refuse' } };
    case 'refusedByFirst':
      return { to, provider, submit: { kind: 'refuse' } };
    case 'undelivered':
      return { to, receipts: [{ after_ms: 40, outcome: 'failed' }] };
    case 'silent':
      return { to, receipts: [] };
    case 'answerLost':
      return { to, provider, submit: { kind: 'accept_then_lose_answer' } };
    case 'answerLate':
      return {
        to,
        provider,
        submit: { kind: 'accept', delay_ms: 600 },
        receipts: [{ after_ms: 0, outcome: 'delivered' }],
      };
    case 'reset':
      return { to, provider, submit: { kind: 'reset' } };
    case 'unavailable':
      return { to, provider, submit: { kind: 'http_status', status: 503 }, times: 1 };
    case 'throttled':
      return { to, provider, submit: { kind: 'throttle', retry_after_s: 1 }, times: 1 };
  }
}

const isAfrican = (number: string) => /^\+2[23457]/.test(number);

/** What a customer does after an accepted send. */
export const SEQUELS = { none: 880, repeat: 20, otherBody: 10, watch: 90 } as const;

/** How a person handles a code. With less than a fifth of right ones, the guard would throttle. */
export const VERIFICATIONS = {
  none: 650,
  right: 200,
  rightWithoutKey: 60,
  wrongThenRight: 40,
  twiceAtOnce: 25,
  exhausted: 25,
} as const;

/** Each number is used once, so that a handset identifies its message. */
export class Numbers {
  private next = 0;

  fresh(random: Random): string {
    const ordinal = this.next++;
    switch (choose(random, { NG: 6, KE: 2, US: 2 })) {
      case 'NG':
        return `+234803${2_000_000 + ordinal}`;
      case 'KE':
        return `+254722${200_000 + (ordinal % 700_000)}`;
      case 'US':
        return `+1415${4_200_000 + ordinal}`;
    }
  }

  /** Returns a number of one prefix. */
  freshInNarrowPrefix(): string {
    return `+234805${2_000_000 + this.next++}`;
  }
}

/** A few numbers that get far more than their limits allow. */
export const HAMMERED: readonly { operation: Operation; destination: string }[] = [
  1, 2, 3, 4,
].flatMap((digit) => [
  { operation: 'otp_send' as const, destination: `+234802500000${digit}` },
  { operation: 'sms_send' as const, destination: `+234802600000${digit}` },
]);

/** A code that is certainly wrong. */
export function wrongCode(code: string): string {
  return [...code].map((digit) => String((Number(digit) + 1) % 10)).join('');
}
