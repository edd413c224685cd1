import { type Static, Type } from '@sinclair/typebox';

/**
 * Fields of an SMS that pass unchanged, under one name, from its command into its events and its
 * record. A new one is `Type.Optional(nullable(...))`: commands and events that were written before
 * lack it.
 */
export const SmsFields = Type.Object({
  rewritten: Type.Boolean(),
});
export type SmsFields = Static<typeof SmsFields>;

/** The same as a record shows them. Unknown values are null, never absent. */
export const SmsRecordFields = Type.Required(SmsFields);
export type SmsRecordFields = Static<typeof SmsRecordFields>;

const NAMES = Object.keys(SmsFields.properties) as (keyof SmsFields)[];

/** Returns these fields of a command, an event, a record or a stored row. */
export function smsFields(source: SmsFields): SmsRecordFields {
  const fields: Partial<Record<keyof SmsFields, unknown>> = {};
  for (const name of NAMES) fields[name] = source[name] ?? null;
  return fields as SmsRecordFields;
}
