/** A change in the database of something that gateways keep in memory. */
export interface Change {
  /** Without gaps, in the order of the commits. */
  number: number;
  kind: 'key' | 'workspace' | 'settings' | 'prices' | 'sender_names';
  id: string | null;
}

/** A part that keeps copies of rows. */
export interface ChangeListener {
  /** Resolves when the old state is not used any more. */
  changed(change: Change): void | Promise<void>;
  /** Called when changes may have been missed. */
  forgetAll(): void | Promise<void>;
}
