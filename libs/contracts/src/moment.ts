/** RFC 3339; seconds, or the whole time of the day, may be left out. JavaScript alone takes much more. */
export const MOMENT_PATTERN =
  '^\\d{4}-\\d\\d-\\d\\d(?:[Tt](?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d))?$';
const FORM = new RegExp(MOMENT_PATTERN);
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns whether the text is an RFC 3339 time of an existing day, and in UTC of a year from 1 to 9999.
 * JavaScript alone reads February 30 as March 2.
 */
export function isMoment(text: string): boolean {
  if (!FORM.test(text)) return false;
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const at = Date.parse(text);
  if (Number.isNaN(midnight) || !(at >= FIRST_MS && at <= LAST_MS)) return false;
  return new Date(midnight).toISOString().startsWith(day);
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/** The day that was written last, with the `T` after it. */
let dayText = '';
let day = Number.NaN;

/**
 * Returns the text of `toISOString`, which works out the day each time and takes over a microsecond. An
 * event of a message has a dozen times, nearly always of one day.
 */
export function timeText(time: Date): string {
  const at = time.getTime();
  const dayOfTime = Math.floor(at / DAY_MS);
  if (dayOfTime !== day) {
    dayText = time.toISOString().slice(0, -'00:00:00.000Z'.length);
    day = dayOfTime;
  }
  const ms = at - day * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const clock = `${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes - hours * 60]}:${TWO_DIGITS[seconds - minutes * 60]}`;
  return `${dayText}${clock}.${THREE_DIGITS[ms - seconds * 1_000]}Z`;
}

export function timeOrNull(time: Date | null): string | null {
  return time === null ? null : timeText(time);
}
