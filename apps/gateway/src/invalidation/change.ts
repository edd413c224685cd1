/** Something that gateways keep in memory has changed in the database. */
export interface Change {
  /** Gapless, in the order of the commits. */
  number: number;
  kind: 'key' | 'workspace' | 'settings' | 'prices' | 'sender_names';
  id: string | null;
}

/** A part that keeps copies of rows. */
export interface ChangeListener {
  /** Resolves when the old state is not acted on any more. */
  changed(change: Change): void | Promise<void>;
  /** Changes may have been missed. */
  forgetAll(): void | Promise<void>;
}
