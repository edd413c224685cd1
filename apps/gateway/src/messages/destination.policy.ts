import { ApiError, type MessageKind, type WorkspaceSettings } from '@watchword/contracts';
import { type Destination, type DestinationProblem, parseDestination } from '@watchword/telephony';
import { invalidNumber, magicRefusal } from './magic-refusal.policy.js';

const PROBLEMS: Record<DestinationProblem, string> = {
  not_e164: 'phone_number must be in E.164 format: a plus sign and 8 to 15 digits.',
  impossible: 'phone_number is not a possible phone number.',
  no_country: 'phone_number belongs to no country.',
  refused_type: 'phone_number is of a kind that cannot receive messages.',
  blocked_range: 'phone_number is in a range that messages are not sent to.',
  fictional: 'phone_number is fictional: it works with test keys only.',
};

/** The destination of a send, or the refusal that its number alone explains. */
export function readDestination(
  phoneNumber: string,
  kind: MessageKind,
  testMode: boolean,
): Destination {
  const parsed = parseDestination(phoneNumber, { testMode });
  if (!parsed.ok) throw invalidNumber(kind, PROBLEMS[parsed.problem]);
  if (testMode) {
    const refusal = magicRefusal(parsed.destination.e164, kind);
    if (refusal !== null) throw refusal;
  }
  return parsed.destination;
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

export function countryNotEnabled(countryCode: string): ApiError {
  return new ApiError('country_not_enabled', {
    field: 'phone_number',
    message: `The destination country ${countryCode} is not enabled for this workspace.`,
  });
}
