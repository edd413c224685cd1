import {
  ApiError,
  type InputProblem,
  inputMessage,
  isMoment,
  minuteOf,
  type QuietWindow,
  type SenderRules,
  WEEKDAYS,
} from '@watchword/contracts';
import { checkCountry } from '@watchword/platform';

/** Checks what a schema cannot: countries and time zones exist, and days stand in the calendar. */
export function checkSenderRules({ countries }: SenderRules): void {
  for (const [countryCode, rule] of Object.entries(countries)) {
    const field = `countries.${countryCode}`;
    checkCountry(countryCode, field);
    if (!isMoment(`${rule.last_checked}T00:00:00Z`)) {
      throw invalid(`${field}.last_checked`, 'calendarDay');
    }
    const timeZone = rule.quiet_hours?.time_zone;
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      throw invalid(`${field}.quiet_hours.time_zone`, 'timeZone');
    }
    if (rule.quiet_hours !== null && !leavesTime(rule.quiet_hours.windows)) {
      throw invalid(`${field}.quiet_hours.windows`, 'noOpenHour');
    }
  }
}

const DAY_MINUTES = 1_440;

/** Whether a message that waits for the end of the hours is ever sent. */
function leavesTime(windows: readonly QuietWindow[]): boolean {
  const week = new Uint8Array(WEEKDAYS.length * DAY_MINUTES);
  for (const { from, to, days = WEEKDAYS } of windows) {
    const [begin, end] = [minuteOf(from), minuteOf(to)];
    const length = end > begin ? end - begin : end - begin + DAY_MINUTES;
    for (const day of days) {
      const first = WEEKDAYS.indexOf(day) * DAY_MINUTES + begin;
      for (let ahead = 0; ahead < length; ahead += 1) week[(first + ahead) % week.length] = 1;
    }
  }
  return week.includes(0);
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
