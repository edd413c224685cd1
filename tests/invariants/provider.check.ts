import type { HandsetMessage } from './client-log.ts';
import { checkEmailCopies, checkMailbox } from './email.check.ts';
import { type AttemptRow, type Evidence, masked, type MessageRow } from './evidence.ts';
import { groupBy, Tally } from './tally.ts';

/** 4. A carrier sees a message again only after a definite refusal, or on a recorded ambiguity. */
export function checkCarriers(evidence: Evidence): Tally {
  const tally = new Tally(4, 'sent again only after a refusal or a recorded ambiguity');
  for (const [id, attempts] of evidence.attempts) {
    attempts.slice(0, -1).forEach((attempt, index) => {
      const { outcome, was_ambiguous: wasAmbiguous, resend } = attempt;
      const isResent = attempts[index + 1]!.resend !== resend;
      const mayFollow = outcome === 'refused' || wasAmbiguous || isResent;
      tally.expect(mayFollow && attempt.number === index + 1, () => {
        return `message ${id}: an attempt after attempt ${attempt.number}, which is ${outcome}`;
      });
    });
  }
  checkEmailCopies(tally, evidence.email);
  checkMailbox(tally, evidence.email);
  const live = [...evidence.messages.values()].filter((message) => !message.test_mode);
  const messages = groupBy(live, ({ destination }) => destination);
  const handsets = groupBy(evidence.handsets, ({ to }) => to);
  for (const [destination, arrived] of handsets) {
    const attempts = (messages.get(destination) ?? []).map(({ id }) => attemptsOf(evidence, id));
    checkHandset(tally, destination, arrived, attempts);
  }
  const references = new Set(evidence.handsets.map(referenceOf));
  for (const message of live) checkArrival(tally, message, references);
  return tally;
}

function attemptsOf(evidence: Evidence, id: string): AttemptRow[] {
  return evidence.attempts.get(id) ?? [];
}

function referenceOf({ provider, reference }: HandsetMessage): string {
  return `${provider} ${reference}`;
}

/** Everything that arrived belongs to an attempt that took it, or may have. */
function checkHandset(
  tally: Tally,
  destination: string,
  arrived: HandsetMessage[],
  attemptsByMessage: AttemptRow[][],
): void {
  const attempts = attemptsByMessage.flat();
  const sendings = attemptsByMessage.map((own) => new Set(own.map(({ resend }) => resend)).size);
  const ambiguous = attempts.filter((attempt) => attempt.was_ambiguous).length;
  const explained = sendings.reduce((sum, count) => sum + count, ambiguous);
  tally.expect(arrived.length <= explained, () => {
    return `${masked(destination)} got ${arrived.length} messages, ${explained} are explained`;
  });
  const known = new Map(
    attempts.map((attempt) => [`${attempt.provider} ${attempt.provider_message_id}`, attempt]),
  );
  const unnamed = attempts.filter(
    (attempt) => attempt.provider_message_id === null && attempt.was_ambiguous,
  );
  for (const message of arrived) {
    const attempt = known.get(referenceOf(message));
    const open = unnamed.findIndex(({ provider }) => provider === message.provider);
    if (attempt === undefined && open >= 0) unnamed.splice(open, 1);
    const isExplained = attempt === undefined ? open >= 0 : attempt.outcome !== 'refused';
    tally.expect(isExplained, () => {
      return `${masked(destination)}: ${referenceOf(message)} belongs to no attempt that took it`;
    });
  }
}

/** No message is called delivered that no carrier delivered. */
function checkArrival(tally: Tally, message: MessageRow, references: Set<string>): void {
  if (message.delivered_at === null) return;
  const reference = `${message.provider} ${message.provider_message_id}`;
  tally.expect(references.has(reference), () => {
    return `message ${message.id} is delivered as ${reference}, which reached no handset`;
  });
}
