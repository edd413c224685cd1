/**
 * How the objects in memory lie in the tables: property, column, type. One list per table from which the
 * statements of `message.store.ts` are put together, so that a column is added in one place.
 */
export interface Column {
  readonly property: string;
  readonly column: string;
  readonly type: string;
}

const columns = (types: Record<string, string>): Column[] =>
  Object.entries(types).map(([property, type]) => ({
    property,
    column: property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    type,
  }));

export const FIXED_COLUMNS = columns({
  id: 'uuid',
  workspaceId: 'uuid',
  kind: 'text',
  family: 'text',
  testMode: 'boolean',
  destination: 'text',
  countryCode: 'text',
  network: 'text',
  senderId: 'text',
  body: 'text',
  originalBody: 'text',
  rewritten: 'boolean',
  encoding: 'text',
  segments: 'integer',
  credits: 'bigint',
  priceRule: 'text',
  metadata: 'json',
  createdAt: 'timestamptz',
});

export const FIXED_OTP_COLUMNS = columns({
  codeLength: 'smallint',
  ttlSeconds: 'integer',
  expiresAt: 'timestamptz',
  language: 'text',
  brand: 'text',
  template: 'text',
  maxAttempts: 'integer',
  codeHash: 'text',
});

export const CHANGING_COLUMNS = columns({
  state: 'text',
  provider: 'text',
  providerMessageId: 'text',
  reason: 'text',
  refunded: 'boolean',
  settledAt: 'timestamptz',
  sentAt: 'timestamptz',
  deliveredAt: 'timestamptz',
  verifiedAt: 'timestamptz',
  endedAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

export const CHANGING_OTP_COLUMNS = columns({ attemptCount: 'integer', codeCipher: 'text' });

export const ATTEMPT_COLUMNS = columns({
  number: 'smallint',
  provider: 'text',
  startedAt: 'timestamptz',
  finishedAt: 'timestamptz',
  outcome: 'text',
  providerMessageId: 'text',
  reason: 'text',
  rawCode: 'text',
  rawMessage: 'text',
  lateDelivery: 'boolean',
  senderId: 'uuid',
});

/** `state, provider, ...` with an optional prefix. */
export function names(list: readonly Column[], prefix = ''): string {
  return list.map(({ column }) => `${prefix}${column}`).join(', ');
}

/** `"providerMessageId" text, ...`: the columns of `json_to_recordset`. */
export function definitions(list: readonly Column[]): string {
  return list.map(({ property, type }) => `"${property}" ${type}`).join(', ');
}

/** `i."providerMessageId", ...`: the same as values. */
export function values(list: readonly Column[], alias: string): string {
  return list.map(({ property }) => `${alias}."${property}"`).join(', ');
}

/** `provider_message_id = i."providerMessageId", ...`. */
export function assignments(list: readonly Column[], alias: string): string {
  return list.map(({ column, property }) => `${column} = ${alias}."${property}"`).join(', ');
}

/** `provider_message_id = excluded.provider_message_id, ...`. */
export function replacements(list: readonly Column[]): string {
  return list.map(({ column }) => `${column} = excluded.${column}`).join(', ');
}

/** `m.provider_message_id AS "providerMessageId", ...`. */
export function selection(list: readonly Column[], alias: string): string {
  return list.map(({ column, property }) => `${alias}.${column} AS "${property}"`).join(', ');
}
