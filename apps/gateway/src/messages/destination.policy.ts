import {
  ApiError,
  ERROR_MESSAGES,
  type ErrorText,
  INPUT_PROBLEMS,
  type InputProblem,
  type PhoneKind,
} from '@watchword/contracts';
import {
  type Destination,
  type DestinationProblem,
  networkByToken,
  parseDestination,
} from '@watchword/telephony';
import type { Caller } from '../accounts/keys/key-directory.port.js';
import { invalidNumber, magicRefusal } from './magic-refusal.policy.js';
import { type SendWords, VARIANT_A_WORDS } from '../inputs/send-words.policy.js';

const PROBLEMS: Record<DestinationProblem, InputProblem> = {
  not_e164: 'notE164',
  impossible: 'impossibleNumber',
  no_country: 'noCountry',
  refused_type: 'refusedNumberType',
  blocked_range: 'blockedRange',
  fictional: 'fictional',
};

/** Returns the destination of a send, or the refusal of its number. */
export function readDestination(
  phoneNumber: string,
  kind: PhoneKind,
  testMode: boolean,
  words: SendWords = VARIANT_A_WORDS,
): Destination {
  const destination = parseNumber(phoneNumber, kind, testMode, words);
  const refusal = testMode ? magicRefusal(destination.e164, kind, words) : null;
  if (refusal !== null) throw refusal;
  return destination;
}

/** The same without the refusals of magic numbers in test mode. */
export function parseNumber(
  phoneNumber: string,
  kind: PhoneKind,
  testMode: boolean,
  words: SendWords = VARIANT_A_WORDS,
): Destination {
  const parsed = parseDestination(phoneNumber, { testMode });
  if (!parsed.ok) throw invalidNumber(kind, problemOf(phoneNumber, parsed.problem), words);
  return parsed.destination;
}

/**
 * Returns the destination in the network of its ported number. The prefix's stays where none is
 * kept, or where it is no network of the number's country.
 */
export function inNetwork(destination: Destination, token: string | null = null): Destination {
  const network = token === null ? null : networkByToken(token);
  return network?.countryCode === destination.countryCode
    ? { ...destination, network }
    : destination;
}

/**
 * Returns the problem. A number with spaces, dashes or brackets is refused with the form it
 * probably means.
 */
function problemOf(given: string, problem: DestinationProblem): InputProblem | ErrorText {
  if (problem !== 'not_e164') return PROBLEMS[problem];
  const bare = given.replaceAll(/[\s().-]/g, '').replace(/^00/, '+');
  const meant = bare !== given && parseDestination(bare, { testMode: true });
  return meant && meant.ok ? INPUT_PROBLEMS.e164As(meant.destination.e164) : PROBLEMS[problem];
}

/**
 * A send to a country that the workspace did not enable: logged or refused, as the workspace chose.
 */
export interface CountryFinding {
  readonly verdict: 'logged' | 'refused';
  readonly error: ApiError;
}

/**
 * Judges the country. An agent key's list applies in both modes, a workspace's only in live mode.
 */
export function judgeCountry(
  { workspace, mode, agent }: Caller,
  countryCode: string,
  { number: field }: SendWords = VARIANT_A_WORDS,
): CountryFinding | null {
  if (agent?.countries && !agent.countries.includes(countryCode)) {
    const message = ERROR_MESSAGES.countryNotOfKey(countryCode);
    return { verdict: 'refused', error: new ApiError('country_not_enabled', { field, message }) };
  }
  const { country_enforcement: enforcement, enabled_countries: enabled } = workspace.settings;
  if (mode === 'test' || enforcement === 'off' || enabled.includes(countryCode)) return null;
  const message = ERROR_MESSAGES.countryNotEnabled(countryCode);
  return {
    verdict: enforcement === 'enforce' ? 'refused' : 'logged',
    error: new ApiError('country_not_enabled', { field, message }),
  };
}
