/**
 * What writers of ISO 8601 and RFC 3339 send: `2026-11-21T10:00:00Z`, `...+0000`, a blank instead of the `T`, the
 * basic form, the words UTC and GMT. A plus sign that was not escaped in a query arrives as a blank. Seconds, or the whole
 * time of the day, may be left out.
 */
const FORM =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[Tt ]([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,](\d+))?)?(?: ?(?:[Zz]|UTC|GMT)| ?([+ \u2212-])([01]\d|2[0-3])(?::?([0-5]\d))?))?$/;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns the time of the text; null unless it is one of an existing day, and in UTC of a year from 1 to 9999.
 * JavaScript alone reads February 30 as March 2.
 */
export function readMoment(text: string): Date | null {
  const found = FORM.exec(text);
  if (!found) return null;
  const [, year, , month, dayOfMonth, hours = '00', minutes = '00', seconds = '00'] = found;
  const [fraction = '0', sign, offsetHours = '00', offsetMinutes = '00'] = found.slice(8);
  const date = `${year}-${month}-${dayOfMonth}`;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return null;
  const plusOrMinus = sign === '-' || sign === '\u2212' ? '-' : '+';
  const at = new Date(
    `${date}T${hours}:${minutes}:${seconds}.${fraction}${plusOrMinus}${offsetHours}:${offsetMinutes}`,
  );
  return at.getTime() >= FIRST_MS && at.getTime() <= LAST_MS ? at : null;
}

export function isMoment(text: string): boolean {
  return readMoment(text) !== null;
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
