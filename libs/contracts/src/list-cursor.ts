/**
 * Where a list goes on, opaque to clients. The name of the list is in it, so that the cursor of another list
 * is none of this one's; what the position looks like, each list knows.
 */
export class ListCursor {
  private readonly prefix: string;

  constructor(
    list: string,
    private readonly position: RegExp,
  ) {
    this.prefix = `${list}:`;
  }

  /** Of the last one that was shown. */
  after(position: string): string {
    return Buffer.from(`${this.prefix}${position}`).toString('base64url');
  }

  /** Undefined when it is none of this list's. */
  read(cursor: string): string | undefined {
    const text = Buffer.from(cursor, 'base64url').toString();
    if (!text.startsWith(this.prefix)) return undefined;
    const position = text.slice(this.prefix.length);
    return this.position.test(position) ? position : undefined;
  }
}

/** Of lists that go on after an id. */
export const ID_POSITION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
