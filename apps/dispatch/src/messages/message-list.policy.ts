import {
  type Family,
  ID_POSITION,
  isMoment,
  ListCursor,
  MESSAGE_STATES,
  publicStatus,
} from '@watchword/contracts';

/** Position in a list of messages: after the one with this creation time and id. */
export interface ListPosition {
  readonly createdAt: string;
  readonly id: string;
}

const FORM = /^(\d{4}-\d\d-\d\dT[\d:.]+Z):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const CURSORS = {
  otp: new ListCursor('otp', FORM),
  sms: new ListCursor('sms', FORM),
  both: new ListCursor('message', FORM),
};

/** Kind of the listed messages. Undefined for both. */
type ListedKind = 'otp' | 'sms' | undefined;

export function cursorAfter(kind: ListedKind, { createdAt, id }: ListPosition): string {
  return CURSORS[kind ?? 'both'].after(`${createdAt}:${id}`);
}

/** Null when the cursor belongs to another list. */
export function positionOf(kind: ListedKind, cursor: string): ListPosition | null {
  const [, createdAt, id] = FORM.exec(CURSORS[kind ?? 'both'].read(cursor) ?? '') ?? [];
  if (createdAt === undefined || id === undefined) return null;
  return isMoment(createdAt) ? { createdAt, id } : null;
}

/** Cursors of a search over all workspaces, which continues after an id. */
export const searchCursors = new ListCursor('found-message', ID_POSITION);

const FAMILIES: readonly Family[] = ['a', 'b'];

/** Returns all states with this public name, as `family:state`. */
export function statesCalled(status: string): string[] {
  return FAMILIES.flatMap((family) =>
    MESSAGE_STATES.filter((state) => publicStatus(state, family) === status).map(
      (state) => `${family}:${state}`,
    ),
  );
}
