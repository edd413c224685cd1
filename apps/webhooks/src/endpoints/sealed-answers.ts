import type { Outcome } from '@watchword/contracts';
import type { AnswerForm, KeyRing } from '@watchword/platform';

/** Answers contain secrets of endpoints, so they are stored encrypted. */
export function sealedAnswers(keys: KeyRing): AnswerForm {
  return {
    write: (outcome, bound) => keys.seal(JSON.stringify(outcome), bound),
    read: (stored, bound) => JSON.parse(keys.open(stored as Buffer, bound)) as Outcome,
  };
}
