/**
 * Shares reads of one key among callers. A caller never gets a read that began before its call:
 * calls during a read share the next one.
 */
export class FreshReads<Found> {
  private readonly running = new Map<string, Promise<Found>>();
  private readonly next = new Map<string, Promise<Found>>();

  constructor(private readonly read: (key: string) => Promise<Found>) {}

  find(key: string): Promise<Found> {
    const next = this.next.get(key);
    if (next) return next;
    const running = this.running.get(key);
    if (!running) return this.begin(key);
    const after = () => {
      this.next.delete(key);
      return this.begin(key);
    };
    const shared = running.then(after, after);
    this.next.set(key, shared);
    return shared;
  }

  private begin(key: string): Promise<Found> {
    const read = this.read(key).finally(() => {
      if (this.running.get(key) === read) this.running.delete(key);
    });
    this.running.set(key, read);
    return read;
  }
}
