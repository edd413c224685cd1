/**
 * Items by lane, each lane in its order. Lanes take turns, so that a long lane delays only itself.
 */
export class FairQueue<Item> {
  private readonly lanes = new Map<string, Item[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(lane: string, item: Item): void {
    this.count += 1;
    const items = this.lanes.get(lane);
    if (items) items.push(item);
    else this.lanes.set(lane, [item]);
  }

  /** One of each lane in turn. The next call goes on where this one ended. */
  take(max: number): Item[] {
    const taken: Item[] = [];
    for (const [lane, items] of this.lanes) {
      if (taken.length >= max) break;
      // The only lane stays, also without items: most queues have no other.
      const alone = this.lanes.size === 1;
      taken.push(...items.splice(0, alone ? max - taken.length : 1));
      if (alone) break;
      this.lanes.delete(lane);
      // At the end, where the loop comes to it again.
      if (items.length > 0) this.lanes.set(lane, items);
    }
    this.count -= taken.length;
    return taken;
  }
}
