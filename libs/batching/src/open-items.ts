/**
 * Items that come and go, such as calls in progress.
 *
 * A long-lived `Map` or `Set` is wrong for them. V8 often gives it a new table while entries come
 * and go, and each table points to the one that replaced it. Once one table is old, all later
 * ones and their entries survive every collection of young objects until the next full one
 * (ADR 67). So these classes clear what they held.
 */
export class OpenItems<Item extends object> {
  private readonly items: (Item | undefined)[] = [];
  private readonly free: number[] = [];

  get size(): number {
    return this.items.length - this.free.length;
  }

  /** Returns the place of the item, which `remove` needs. */
  add(item: Item): number {
    const place = this.free.pop() ?? this.items.length;
    this.items[place] = item;
    return place;
  }

  at(place: number): Item | undefined {
    return this.items[place];
  }

  replace(place: number, item: Item): void {
    this.items[place] = item;
  }

  /** Call it once for each place. */
  remove(place: number): void {
    this.items[place] = undefined;
    this.free.push(place);
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const item of this.items) if (item !== undefined) yield item;
  }
}

/** Items in progress by key. `keys()` are in the order of their addition. */
export class OpenMap<Value extends object, Key extends string = string> {
  /** Its outgrown tables hold keys and numbers alone. */
  private readonly places = new Map<Key, number>();
  private readonly items = new OpenItems<Value>();

  get size(): number {
    return this.places.size;
  }

  has(key: Key): boolean {
    return this.places.has(key);
  }

  get(key: Key): Value | undefined {
    const place = this.places.get(key);
    return place === undefined ? undefined : this.items.at(place);
  }

  set(key: Key, value: Value): void {
    const place = this.places.get(key);
    if (place === undefined) this.places.set(key, this.items.add(value));
    else this.items.replace(place, value);
  }

  delete(key: Key): boolean {
    const place = this.places.get(key);
    if (place === undefined) return false;
    this.items.remove(place);
    return this.places.delete(key);
  }

  keys(): MapIterator<Key> {
    return this.places.keys();
  }

  /** In no order. */
  values(): Iterable<Value> {
    return this.items;
  }
}
