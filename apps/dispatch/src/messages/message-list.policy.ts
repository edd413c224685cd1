import {
  type Family,
  MESSAGE_STATES,
  MomentCursor,
  type MomentPosition,
  type PhoneKind,
  publicStatus,
} from '@watchword/contracts';

const CURSORS = {
  otp: new MomentCursor('otp'),
  sms: new MomentCursor('sms'),
  both: new MomentCursor('message'),
};

/** Kind of the listed messages. Undefined for both. */
type ListedKind = PhoneKind | undefined;

export function cursorAfter(kind: ListedKind, position: MomentPosition): string {
  return CURSORS[kind ?? 'both'].after(position);
}

/** Undefined when the cursor belongs to another list. */
export function positionOf(kind: ListedKind, cursor: string): MomentPosition | undefined {
  return CURSORS[kind ?? 'both'].read(cursor);
}

const FAMILIES: readonly Family[] = ['a', 'b'];

/** Returns all states with this public name, as `family:state`. */
export function statesCalled(status: string): string[] {
  return FAMILIES.flatMap((family) =>
    MESSAGE_STATES.filter((state) => publicStatus(state, family) === status).map(
      (state) => `${family}:${state}`,
    ),
  );
}
