import { minuteOf, type QuietHours, type QuietWindow, WEEKDAYS } from '@watchword/contracts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Windows that follow each other without a gap, at most. A week has seven nights and seven days. */
const JOINED_MAX = 32;

/**
 * Returns when the quiet hours end that the time is in, or null outside of them. Hours that follow each
 * other are one.
 */
export function quietUntil({ time_zone: timeZone, windows }: QuietHours, at: Date): Date | null {
  let end: Date | null = null;
  for (let joined = 0; joined < JOINED_MAX; joined += 1) {
    const from: Date = end ?? at;
    const local = localTime(from, timeZone);
    const left = Math.max(...windows.map((window) => minutesLeft(window, local)));
    if (left <= 0) return end;
    end = later(from, left, timeZone);
  }
  return end;
}

interface LocalTime {
  /** 0 is Sunday. */
  readonly day: number;
  readonly minute: number;
}

/** Returns how many minutes of the window are left; 0 outside of it. */
function minutesLeft(
  { from, to, days = [...WEEKDAYS] }: QuietWindow,
  { day, minute }: LocalTime,
): number {
  const [begin, stop] = [minuteOf(from), minuteOf(to)];
  const length = stop > begin ? stop - begin : stop - begin + DAY_MINUTES;
  for (const ago of [0, 1]) {
    const since = minute - begin + ago * DAY_MINUTES;
    const begunOn = WEEKDAYS[(day - ago + 7) % 7]!;
    if (since >= 0 && since < length && days.includes(begunOn)) return length - since;
  }
  return 0;
}

/**
 * Adds minutes on the clocks of the zone, which a change to summer time moves. An end in the hour that the
 * clocks skip is at most an hour later: it never lies in the past.
 */
function later(from: Date, minutes: number, timeZone: string): Date {
  const start = Math.floor(from.getTime() / MINUTE_MS) * MINUTE_MS;
  const straight = new Date(start + minutes * MINUTE_MS);
  const moved = offsetMinutes(straight, timeZone) - offsetMinutes(from, timeZone);
  const onTheClock = new Date(straight.getTime() - moved * MINUTE_MS);
  return onTheClock > from ? onTheClock : straight;
}

function localTime(at: Date, timeZone: string): LocalTime {
  const local = new Date(at.getTime() + offsetMinutes(at, timeZone) * MINUTE_MS);
  return { day: local.getUTCDay(), minute: local.getUTCHours() * 60 + local.getUTCMinutes() };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns how far the zone's clocks are ahead of UTC. */
function offsetMinutes(at: Date, timeZone: string): number {
  const known = formats.get(timeZone) ?? formatOf(timeZone);
  formats.set(timeZone, known);
  const parts = Object.fromEntries(known.formatToParts(at).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute } = parts as Record<Intl.DateTimeFormatPartTypes, string>;
  const wall = Date.UTC(+year, +month - 1, +day, +hour, +minute);
  return Math.round(wall / MINUTE_MS - Math.floor(at.getTime() / MINUTE_MS));
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit';
  const shown = { year: 'numeric', month: two, day: two, hour: two, minute: two } as const;
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    ...shown,
  });
}
