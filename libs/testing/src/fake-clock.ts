import type { Clock } from '@watchword/contracts';

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  private current: number;

  constructor(start: string | number = '2026-01-05T09:00:00.000Z') {
    this.current = new Date(start).getTime();
  }

  now(): number {
    return this.current;
  }

  advance(milliseconds: number): void {
    this.current += milliseconds;
  }

  set(moment: string | number): void {
    this.current = new Date(moment).getTime();
  }
}
