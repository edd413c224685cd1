/** Record types by which domains are checked. */
export const RECORD_TYPES = ['A', 'NS', 'CNAME', 'MX', 'TXT', 'AAAA'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export interface DnsRecord {
  readonly type: RecordType;
  /** Lower case, without a dot at the end. */
  readonly name: string;
  readonly value: string;
  readonly priority?: number | undefined;
}

/** `PUT` sets one list, `POST` adds to another, so a test never removes the demo's records. */
export class RecordStore {
  private set: readonly DnsRecord[] = [];
  private added: readonly DnsRecord[] = [];

  get size(): number {
    return this.set.length + this.added.length;
  }

  replace(records: readonly DnsRecord[]): void {
    this.set = records;
  }

  add(records: readonly DnsRecord[]): void {
    const isNew = ({ type, name }: DnsRecord) =>
      !records.some((record) => record.type === type && record.name === name);
    this.added = [...this.added.filter(isNew), ...records];
  }

  /**
   * Returns the records of a name. Records that were set hide added ones of the same name and type.
   */
  find(name: string): DnsRecord[] {
    const set = this.set.filter((record) => record.name === name);
    const hidden = new Set(set.map(({ type }) => type));
    const added = this.added.filter((record) => record.name === name && !hidden.has(record.type));
    return [...set, ...added];
  }
}
