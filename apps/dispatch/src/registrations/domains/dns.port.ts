/** DNS look-ups. An empty list means that there is no record. An unanswered look-up throws. */
export interface Dns {
  /** Returns each record as one text. */
  txt(name: string): Promise<string[]>;
  /** Returns the host names of the mail servers of the best preference, which get the mail. */
  mx(name: string): Promise<string[]>;
  cname(name: string): Promise<string[]>;
  /**
   * Whether the resolver answers at all. Separates a silent domain from an unavailable resolver.
   */
  isThere(): Promise<boolean>;
}
