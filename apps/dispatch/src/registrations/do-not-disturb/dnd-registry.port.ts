/** A Do Not Disturb registry outside this installation. */
export interface DndRegistry {
  /** Returns the listed numbers; none when the registry does not answer in time. */
  listed(numbers: readonly string[]): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

export const DND_REGISTRY = Symbol('do-not-disturb registry');
