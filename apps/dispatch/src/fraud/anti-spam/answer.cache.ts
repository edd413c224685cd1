/**
 * Answers of the last hour; the least recently used are dropped first. Campaigns send one text many
 * times.
 */
const ENTRIES_MAX = 10_000;
const KEPT_FOR_MS = 3_600_000;

export class AnswerCache<Answer> {
  private readonly entries = new Map<string, { answer: Answer; until: number }>();

  get(key: string, now: number): Answer | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    if (entry.until <= now) return undefined;
    this.entries.set(key, entry);
    return entry.answer;
  }

  set(key: string, answer: Answer, now: number): void {
    this.entries.delete(key);
    this.entries.set(key, { answer, until: now + KEPT_FOR_MS });
    if (this.entries.size <= ENTRIES_MAX) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
