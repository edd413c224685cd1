import { v7 } from 'uuid';

/**
 * Identifiers. Every one is a UUIDv7 (time-ordered, so indexes stay warm), except event ids, which are
 * `evt_` and a UUIDv7 without dashes.
 */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]?: Name };

export type WorkspaceId = Branded<'WorkspaceId'>;
export type MessageId = Branded<'MessageId'>;
export type EntryId = Branded<'EntryId'>;
export type EventId = Branded<'EventId'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function newId(): string {
  return v7();
}

export function newEventId(): EventId {
  return `evt_${v7().replaceAll('-', '')}`;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
