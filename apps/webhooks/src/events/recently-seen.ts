import { BoundedMap } from '@watchword/platform';

const SEEN_MAX = 10_000;
const SEEN_FOR_MS = 60_000;

/** What was seen in the last minute. It is bounded, so it may forget earlier. */
export class RecentlySeen<Key> {
  private readonly lastAtMs = new BoundedMap<Key, number>(SEEN_MAX);

  add(key: Key): void {
    this.lastAtMs.set(key, performance.now());
  }

  delete(key: Key): void {
    this.lastAtMs.delete(key);
  }

  has(key: Key): boolean {
    const atMs = this.lastAtMs.get(key);
    return atMs !== undefined && performance.now() - atMs < SEEN_FOR_MS;
  }
}
