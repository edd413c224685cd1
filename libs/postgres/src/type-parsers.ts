import { types } from 'pg';
import type { CustomTypesConfig } from 'pg';

const INT8 = 20;
const INT8_ARRAY = 1016;

/**
 * Credits and counters are bigint columns with values that fit a number. A value that does not is a
 * bug.
 */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint does not fit a number');
  return value;
}

/** Parses PostgreSQL's form of a one-dimensional array: `{1,2,NULL}`. */
function parseInt8Array(text: string): (number | null)[] {
  if (text === '{}') return [];
  const items = text.slice(1, -1).split(',');
  return items.map((item) => (item === 'NULL' ? null : parseInt8(item)));
}

/** The driver's parsers, except that bigint is a number. `sum(bigint)` is numeric: cast it back. */
export const typeParsers: CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format !== 'binary' && Number(oid) === INT8) return parseInt8;
    if (format !== 'binary' && Number(oid) === INT8_ARRAY) return parseInt8Array;
    return types.getTypeParser(oid, format as 'text');
  },
};
