/**
 * An opaque position in a list. It contains the list's name, so a cursor of another list is
 * refused. Each list defines the format of its positions.
 */
export class ListCursor {
  private readonly prefix: string;

  constructor(
    list: string,
    private readonly position: RegExp,
  ) {
    this.prefix = `${list}:`;
  }

  /** Returns the cursor for the page that follows the position. */
  after(position: string): string {
    return Buffer.from(`${this.prefix}${position}`).toString('base64url');
  }

  /** Returns the position, or undefined when the cursor belongs to another list. */
  read(cursor: string): string | undefined {
    const text = Buffer.from(cursor, 'base64url').toString();
    if (!text.startsWith(this.prefix)) return undefined;
    const position = text.slice(this.prefix.length);
    return this.position.test(position) ? position : undefined;
  }
}

/** The position of a list that continues after an id. */
export const ID_POSITION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
