import { type ErrorText, WEBHOOK_MESSAGES } from '@watchword/contracts';
import { ALL_EVENTS, isKnownEvent } from '../payloads/event-types.policy.js';

const EXAMPLES = { a: ['otp.sent'], b: ['sms.delivered', ALL_EVENTS] } as const;

/** Returns null when these events can be subscribed to, else a sentence with the problem. */
export function problemOfEvents(events: readonly string[], variant: 'a' | 'b'): ErrorText | null {
  if (events.length === 0) return WEBHOOK_MESSAGES.noEvents;
  if (variant === 'b' && events.includes(ALL_EVENTS)) {
    return events.length === 1 ? null : WEBHOOK_MESSAGES.allEventsAlone;
  }
  const unknown = events.find((name) => !isKnownEvent(name, variant));
  if (unknown === undefined) return null;
  return WEBHOOK_MESSAGES.unknownEvent(unknown, ...EXAMPLES[variant]);
}
