import {
  ApiError,
  type InputProblem,
  inputMessage,
  isMoment,
  type SenderRules,
} from '@watchword/contracts';
import { findCountry } from '@watchword/telephony';

/** Checks what a schema cannot: countries and time zones exist, and days stand in the calendar. */
export function checkSenderRules({ countries }: SenderRules): void {
  for (const [countryCode, rule] of Object.entries(countries)) {
    const field = `countries.${countryCode}`;
    if (findCountry(countryCode) === null) throw invalid(field, 'unknownCountry');
    if (!isMoment(`${rule.last_checked}T00:00:00Z`)) {
      throw invalid(`${field}.last_checked`, 'calendarDay');
    }
    const timeZone = rule.quiet_hours?.time_zone;
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      throw invalid(`${field}.quiet_hours.time_zone`, 'timeZone');
    }
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function invalid(field: string, problem: InputProblem): ApiError {
  return new ApiError('validation_error', { field, message: inputMessage(field, problem) });
}
