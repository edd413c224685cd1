import { ALL_EVENTS, isKnownEvent } from '../payloads/event-types.policy.js';

/** Returns null when these events can be subscribed to, else a sentence with the problem. */
export function problemOfEvents(events: readonly string[], variant: 'a' | 'b'): string | null {
  if (events.length === 0) return 'Name at least one event.';
  if (variant === 'b' && events.includes(ALL_EVENTS)) {
    return events.length === 1 ? null : '"*" means all events and stands alone: ["*"].';
  }
  const unknown = events.find((name) => !isKnownEvent(name, variant));
  if (unknown === undefined) return null;
  const example = variant === 'a' ? '"otp.sent"' : '"sms.delivered" or "*"';
  return `${JSON.stringify(unknown)} is not the name of an event. Use for example ${example}.`;
}
