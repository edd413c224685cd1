/** Look-ups of records. An empty list means that there is none; an unanswered look-up throws. */
export interface Dns {
  /** Each record as one text. */
  txt(name: string): Promise<string[]>;
  /** Host names of the mail servers. */
  mx(name: string): Promise<string[]>;
  cname(name: string): Promise<string[]>;
}
