/** A Do Not Disturb registry outside this installation. */
export interface DndRegistry {
  /** Those of the numbers that are listed; none where the registry does not answer in time. */
  listed(numbers: readonly string[]): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

export const DND_REGISTRY = Symbol('do-not-disturb registry');
