/**
 * Items that come and go, such as calls in progress.
 *
 * A long-lived `Map` or `Set` costs a send 1.28 times the CPU time of Node (see `docs/internals/performance.md`): V8
 * gives it new tables while entries come and go, and each table points to the one that replaced it. Once one is old,
 * all later ones and their entries survive every collection of young objects until the next full one.
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

  /** Call it once for each place. */
  remove(place: number): void {
    this.items[place] = undefined;
    this.free.push(place);
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const item of this.items) if (item !== undefined) yield item;
  }
}
