/** Where a list of deliveries goes on: the id of the last one shown. Opaque to clients. */
const FORM = /^delivery:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function cursorAfter(deliveryId: string): string {
  return Buffer.from(`delivery:${deliveryId}`).toString('base64url');
}

/** Undefined when it is none of ours. */
export function deliveryIdOf(cursor: string): string | undefined {
  return FORM.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
}
