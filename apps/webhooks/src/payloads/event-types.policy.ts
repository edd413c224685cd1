import {
  DEFAULT_EVENTS,
  type MessageEventType,
  type MessageSnapshot,
  OPT_IN_EVENTS,
  PHONE_CONTRACTS,
  VARIANT_B_EVENTS,
} from '@watchword/contracts';

/** An endpoint of variant B with this name gets every event, opt-in events included. */
export const ALL_EVENTS = '*';

/**
 * The type of the test event of variant A: the only one with a member in its data that marks a test.
 */
export const TEST_EVENT_TYPE = 'credit_balance.topped_up';

const VARIANT_A_NAMES = new Set([...DEFAULT_EVENTS, ...OPT_IN_EVENTS]);
const ALL_NAMES = new Set([...VARIANT_A_NAMES, ...VARIANT_B_EVENTS]);

export function isKnownEvent(name: string, variant: 'a' | 'b'): boolean {
  return (variant === 'a' ? VARIANT_A_NAMES : ALL_NAMES).has(name);
}

/** Returns variant A's name of a message's event, or null where variant A has none. */
export function variantAType(kind: MessageSnapshot['kind'], type: MessageEventType): string | null {
  return PHONE_CONTRACTS[kind].eventNamesOfA[type];
}

/** Returns variant B's name. Only messages of family `b` are queued. */
export function variantBType(
  { kind, family }: Pick<MessageSnapshot, 'kind' | 'family'>,
  type: MessageEventType,
): string | null {
  if (type === 'message.queued' && family === 'a') return null;
  return PHONE_CONTRACTS[kind].eventNamesOfB[type];
}
