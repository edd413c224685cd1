import type { Plan } from '../../outcomes/outcome.js';
import type { Part, Submission } from './submission.js';

/** Parts of one text. All of them have one plan. */
interface Group {
  readonly plan: Plan;
  /** Numbers of the parts that came, accepted or not. */
  readonly seen: Set<number>;
  readonly bodies: Map<number, { body: string; id: string }>;
}

/** A text whose parts are all here. */
export interface WholeText {
  readonly body: string;
  /** Ids of its parts, in order. */
  readonly ids: readonly string[];
}

/** Bounds memory: the oldest unfinished text is forgotten. */
const GROUPS_MAX = 10_000;

/** Puts the parts of texts together. Parts may come in any order. */
export class PartStore {
  private readonly groups = new Map<string, Group>();

  /** Returns the plan of the text that the part belongs to. `make` plans a new text. */
  planFor(submission: Submission & { part: Part }, make: () => Plan): Plan {
    const key = keyOf(submission);
    const known = this.groups.get(key);
    // A reference is used again after 256 texts. A part that comes twice begins a new text.
    const { number } = submission.part;
    if (known && !known.seen.has(number)) {
      known.seen.add(number);
      return known.plan;
    }
    this.groups.delete(key);
    const plan = make();
    this.groups.set(key, { plan, seen: new Set([number]), bodies: new Map() });
    if (this.groups.size > GROUPS_MAX) this.groups.delete(this.groups.keys().next().value!);
    return plan;
  }

  /** Adds an accepted part. Returns the text once it is whole. */
  add(submission: Submission & { part: Part }, id: string): WholeText | undefined {
    const key = keyOf(submission);
    const { number, total } = submission.part;
    const bodies = this.groups.get(key)?.bodies;
    if (!bodies) return undefined;
    bodies.set(number, { body: submission.body, id });
    if (bodies.size < total) return undefined;
    this.groups.delete(key);
    const inOrder = [...bodies].toSorted(([a], [b]) => a - b).map(([, one]) => one);
    return { body: inOrder.map(({ body }) => body).join(''), ids: inOrder.map((one) => one.id) };
  }
}

function keyOf({ from, to, part }: Submission & { part: Part }): string {
  return `${from} ${to} ${part.reference} ${part.total}`;
}
