/**
 * A bounded map that drops old entries. It has two generations. When the young one reaches half
 * the bound, the old one is dropped and the young one takes its place. An entry that is read moves
 * to the young one. (Deleting the oldest entry of a single map would be exact, but such a map
 * becomes slow to find its beginning.)
 */
export class BoundedMap<Key, Value> {
  private young = new Map<Key, Value>();
  private old = new Map<Key, Value>();

  constructor(private readonly sizeMax: number) {}

  get(key: Key): Value | undefined {
    const value = this.young.get(key);
    if (value !== undefined || !this.old.has(key)) return value;
    const kept = this.old.get(key) as Value;
    this.old.delete(key);
    this.set(key, kept);
    return kept;
  }

  set(key: Key, value: Value): void {
    if (this.young.size >= this.sizeMax / 2) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }

  delete(key: Key): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const generation of [this.young, this.old]) {
      for (const [key, value] of generation) {
        if (matches(value)) generation.delete(key);
      }
    }
  }
}
