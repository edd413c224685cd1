import { checkRotation, forgetOldKeys, UserError } from '@watchword/host';
import { KeyMissing, KeyRing, type SealedColumn } from '@watchword/platform';
import { createClient } from '@watchword/postgres';
import type { OperatorCommand } from '../operator-command.js';

type Client = ReturnType<typeof createClient>;

/** Rows per statement: few enough that nothing waits for their locks. */
const BATCH_ROWS = 1_000;
/** Bytes per statement. One email's content can exceed 10 MB. */
const BATCH_BYTES = 16 * 1024 * 1024;

export const rotateKeys: OperatorCommand = {
  name: 'rotate-keys',
  summary: 'Encrypt every value anew under the first key of ENCRYPTION_KEYS, while services run.',
  needs: 'database',
  services: ['webhooks'],
  async run({ config, definitions, adminUrl, say }) {
    const { encryptionKeys } = config;
    if (encryptionKeys.length === 0) throw new UserError('ENCRYPTION_KEYS must be set.');
    const url = await adminUrl();
    const client = createClient({
      url,
      applicationName: 'watchword-rotate',
      statementTimeoutMs: 0,
    });
    await client.connect();
    try {
      const names = definitions.map(({ name }) => name);
      await checkRotation(client, names, config);
      for (const { name, sealed = [] } of definitions) {
        for (const column of sealed) {
          const ring = new KeyRing(encryptionKeys, column.purpose);
          const count = await rotate(client, name, column, ring);
          say(`${name}.${column.table}.${column.column}: ${count} values encrypted anew.`);
        }
        if (sealed.length > 0) await forgetOldKeys(client, name, config);
      }
    } finally {
      await client.end();
    }
    say('Every value is under the first key. The other keys can leave ENCRYPTION_KEYS.');
  },
};

/**
 * Repeats passes over the table until one finds nothing: a process with the old ring may write
 * meanwhile.
 */
async function rotate(
  client: Client,
  schema: string,
  column: SealedColumn,
  ring: KeyRing,
): Promise<number> {
  for (let total = 0; ;) {
    const count = await pass(client, schema, column, ring);
    if (count === 0) return total;
    total += count;
  }
}

/** A value that changed since it was read keeps its change. The next pass reads it again. */
async function pass(client: Client, schema: string, column: SealedColumn, ring: KeyRing) {
  const { select, update } = statementsOf(schema, column);
  let after: string[] = [];
  for (let count = 0; ;) {
    const { rows } = await client.query<Sealed>(select(after.length > 0), after);
    const last = rows.at(-1);
    if (!last) return count;
    after = last.key;
    const old = rows.filter(({ value }) => !ring.isCurrent(bytesOf(value)));
    if (old.length === 0) continue;
    const renewed = old.map(({ key, value }) => {
      const boundTo = key.join(' ');
      return ring.seal(opened(ring, bytesOf(value), boundTo, `${schema}.${column.table}`), boundTo);
    });
    const isBytes = column.type === 'bytea';
    const keys = after.map((_, index) => old.map(({ key }) => key[index]));
    await client.query(update, [
      ...keys,
      old.map(({ value }) => value),
      isBytes ? renewed : renewed.map((bytes) => bytes.toString('base64')),
    ]);
    count += old.length;
  }
}

function opened(ring: KeyRing, sealed: Buffer, boundTo: string, table: string): string {
  try {
    return ring.open(sealed, boundTo);
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error;
    throw new UserError(
      `A value of ${table} is under a key that ENCRYPTION_KEYS lacks. ` +
        'Add that key behind the first one, and run this command again.',
    );
  }
}

interface Sealed {
  key: string[];
  value: Buffer | string;
}

function statementsOf(schema: string, { table, key, column, type }: SealedColumn) {
  const names = Object.keys(key);
  const types = [...Object.values(key), stored(type), stored(type)];
  const arrays = types.map((one, index) => `$${index + 1}::${one}[]`).join(', ');
  const given = names.map((name, index) => `$${index + 1}::${key[name]}`).join(', ');
  const after = `AND (${names.join(', ')}) > (${given})`;
  return {
    // At least one row, and more while those before are small enough.
    select: (isFurther: boolean) => `
      SELECT key, value FROM (
        SELECT *, sum(octet_length(value)) OVER (ORDER BY place) - octet_length(value) AS bytes_before
          FROM (
            SELECT ARRAY[${names.map((name) => `${name}::text`).join(', ')}] AS key,
                   ${column} AS value, row_number() OVER (ORDER BY ${names.join(', ')}) AS place
              FROM ${schema}.${table} WHERE ${column} IS NOT NULL ${isFurther ? after : ''}
             ORDER BY ${names.join(', ')} LIMIT ${BATCH_ROWS}) AS page) AS sized
       WHERE bytes_before < ${BATCH_BYTES} ORDER BY place`,
    update: `
      UPDATE ${schema}.${table} AS t SET ${column} = n.sealed_anew
        FROM unnest(${arrays}) AS n (${names.join(', ')}, sealed, sealed_anew)
       WHERE ${names.map((name) => `t.${name} = n.${name}`).join(' AND ')}
         AND t.${column} = n.sealed`,
  };
}

const stored = (type: SealedColumn['type']): string => (type === 'bytea' ? 'bytea' : 'text');

const bytesOf = (value: Buffer | string): Buffer =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;
