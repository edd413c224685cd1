import type { Clock, MessageId } from '@watchword/contracts';
import type { KeyRow } from './message-write.js';
import { distinctRefs, type RecordRef } from './record-refs.js';
import { isWithin, type Scope } from './scope.policy.js';

/** A message or an email. Each write counts `version` up. */
interface Versioned extends Scope {
  readonly id: MessageId;
  readonly testMode: boolean;
  readonly version: number;
}

export interface ChangeRequest<Item> {
  readonly id: MessageId;
  /** Returns the changed item, or the same object if nothing changes. Must be pure. */
  readonly change: (item: Item, at: Date) => Item;
  /** The item as last seen, which saves a read. It may be out of date. */
  readonly known?: Item;
  /** Written together with the change, if it is one. */
  readonly keys?: readonly KeyRow[];
  /** Scope of the caller; absent for a change without a caller. */
  readonly within?: Scope;
}

/** What differs between messages and emails. */
export interface ChangedItems<Item, Request, Write> {
  read(refs: readonly RecordRef[]): Promise<Map<string, Item>>;
  /** Returns those of the requests that were not carried out before. Absent: all. */
  withoutRepeated?(requests: readonly Request[]): Promise<readonly Request[]>;
  writeOf(before: Item, after: Item, requests: readonly Request[], at: Date): Write;
  /** Returns the ids that were written. The others have another version by now. */
  write(writes: readonly Write[]): Promise<Set<string>>;
  afterWrite(write: Write): Item;
}

/** In every round another write came first. This many in a row cannot happen by chance. */
const ROUNDS_MAX = 50;

/**
 * Applies changes to many items at a time: reads them, decides in memory and writes all in one
 * statement.
 *
 * Deciding takes no lock. A write names the version it was decided on and fails when the item has
 * another one. Then the change is decided again on the current item. So outcomes, reports, answers,
 * cancellations and expiry can race each other, in one process or several.
 */
export class VersionedChanges<Item extends Versioned, Request extends ChangeRequest<Item>, Write> {
  constructor(
    private readonly items: ChangedItems<Item, Request, Write>,
    protected readonly clock: Clock,
  ) {}

  /**
   * Applies changes. Several changes of one item are made in the order of the list. Returns null
   * for an item outside the scope.
   */
  async apply(requests: readonly Request[]): Promise<(Item | null)[]> {
    const current = new Map<string, Item>();
    for (const { id, known } of requests) if (known) current.set(id, known);
    const settled = new Map<string, Item>();
    let open = [...requests];
    for (let round = 1; open.length > 0; round += 1) {
      if (round > ROUNDS_MAX) throw new Error('an item changes faster than it can be changed');
      const read = await this.items.read(distinctRefs(open.filter(({ id }) => !current.has(id))));
      for (const [id, item] of read) current.set(id, item);
      const conflicts = await this.round(open, current, settled);
      open = open.filter(({ id }) => conflicts.has(id));
      for (const id of conflicts) current.delete(id);
    }
    return requests.map(({ id, within }) => {
      const item = settled.get(id);
      return item && isWithin(item, within) ? item : null;
    });
  }

  /** Returns the ids that another write changed meanwhile. */
  private async round(
    open: readonly Request[],
    current: ReadonlyMap<string, Item>,
    settled: Map<string, Item>,
  ): Promise<Set<string>> {
    const fresh = (await this.items.withoutRepeated?.(open)) ?? open;
    const at = new Date(this.clock.now());
    const writes = new Map<string, Write>();
    const byId = Map.groupBy(fresh, ({ id }) => id);
    for (const { id } of open) {
      const before = current.get(id);
      if (!before || settled.has(id) || writes.has(id)) continue;
      const allowed = (byId.get(id) ?? []).filter(({ within }) => isWithin(before, within));
      const after = allowed.reduce((item, { change }) => change(item, at), before);
      if (after === before) settled.set(id, before);
      else writes.set(id, this.items.writeOf(before, after, allowed, at));
    }
    if (writes.size === 0) return new Set();
    const written = await this.items.write([...writes.values()]);
    const conflicts = new Set<string>();
    for (const [id, write] of writes) {
      if (written.has(id)) settled.set(id, this.items.afterWrite(write));
      else conflicts.add(id);
    }
    return conflicts;
  }
}

export function keysOf(requests: readonly Pick<ChangeRequest<never>, 'keys'>[]): readonly KeyRow[] {
  return requests.flatMap(({ keys = [] }) => keys);
}
