import { ListCursor } from './list-cursor.js';
import { isMoment } from './moment.js';

/** Position in a list: after the row with this creation time and id. */
export interface MomentPosition {
  /** RFC 3339, in UTC. */
  readonly createdAt: string;
  readonly id: string;
}

const FORM =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Cursors of a list that continues after a creation time and an id. */
export class MomentCursor {
  private readonly cursors: ListCursor;

  constructor(list: string) {
    this.cursors = new ListCursor(list, FORM);
  }

  /** Returns the cursor for the page that follows the position. */
  after({ createdAt, id }: MomentPosition): string {
    return this.cursors.after(`${createdAt}:${id}`);
  }

  /** Returns undefined for the cursor of another list, and for a time that PostgreSQL refuses. */
  read(cursor: string): MomentPosition | undefined {
    const [, createdAt, id] = FORM.exec(this.cursors.read(cursor) ?? '') ?? [];
    if (createdAt === undefined || id === undefined) return undefined;
    return isMoment(createdAt) ? { createdAt, id } : undefined;
  }
}
