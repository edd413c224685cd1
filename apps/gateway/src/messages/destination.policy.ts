import {
  ApiError,
  ERROR_MESSAGES,
  type ErrorText,
  INPUT_PROBLEMS,
  type InputProblem,
  type MessageKind,
  type WorkspaceSettings,
} from '@watchword/contracts';
import { type Destination, type DestinationProblem, parseDestination } from '@watchword/telephony';
import { invalidNumber, magicRefusal } from './magic-refusal.policy.js';
import { type SendWords, VARIANT_A_WORDS } from './send-words.policy.js';

const PROBLEMS: Record<DestinationProblem, InputProblem> = {
  not_e164: 'notE164',
  impossible: 'impossibleNumber',
  no_country: 'noCountry',
  refused_type: 'refusedNumberType',
  blocked_range: 'blockedRange',
  fictional: 'fictional',
};

/** The destination of a send, or the refusal that its number alone explains. */
export function readDestination(
  phoneNumber: string,
  kind: MessageKind,
  testMode: boolean,
  words: SendWords = VARIANT_A_WORDS,
): Destination {
  const destination = parseNumber(phoneNumber, kind, testMode, words);
  const refusal = testMode ? magicRefusal(destination.e164, kind, words) : null;
  if (refusal !== null) throw refusal;
  return destination;
}

/** The same, whatever the magic numbers of test mode would have it answer. */
export function parseNumber(
  phoneNumber: string,
  kind: MessageKind,
  testMode: boolean,
  words: SendWords = VARIANT_A_WORDS,
): Destination {
  const parsed = parseDestination(phoneNumber, { testMode });
  if (!parsed.ok) throw invalidNumber(kind, problemOf(phoneNumber, parsed.problem), words);
  return parsed.destination;
}

/** A number with spaces, dashes or brackets is refused with the form that it probably means. */
function problemOf(given: string, problem: DestinationProblem): InputProblem | ErrorText {
  if (problem !== 'not_e164') return PROBLEMS[problem];
  const bare = given.replaceAll(/[\s().-]/g, '').replace(/^00/, '+');
  const meant = bare !== given && parseDestination(bare, { testMode: true });
  return meant && meant.ok ? INPUT_PROBLEMS.e164As(meant.destination.e164) : PROBLEMS[problem];
}

export type CountryVerdict = 'enabled' | 'logged' | 'refused';

/** Test mode sends nothing, so every country is open to it. */
export function judgeCountry(
  countryCode: string,
  settings: WorkspaceSettings,
  testMode: boolean,
): CountryVerdict {
  const { country_enforcement: enforcement, enabled_countries: enabled } = settings;
  if (testMode || enforcement === 'off' || enabled.includes(countryCode)) return 'enabled';
  return enforcement === 'enforce' ? 'refused' : 'logged';
}

export function countryNotEnabled(
  countryCode: string,
  { number: field }: SendWords = VARIANT_A_WORDS,
): ApiError {
  return new ApiError('country_not_enabled', {
    field,
    message: ERROR_MESSAGES.countryNotEnabled(countryCode),
  });
}
