/**
 * Parameters of a statement that are arrays, written in less time and with less garbage than the driver needs: it
 * quotes each element, and escapes each quote of a JSON text.
 */

/**
 * An array of ids, names, moments (RFC 3339), numbers, booleans and nulls: nothing that PostgreSQL
 * would need in quotes.
 */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/**
 * Texts, one a line, for `linesAsArray`. No text is empty or has a line break: so it is with JSON.
 */
export function lines(texts: readonly (string | null)[]): string {
  return texts.join('\n');
}

/** The lines of a parameter as `text[]`, for `unnest`: a lone null gives an empty array. */
export function linesAsArray(parameter: `$${number}`): string {
  return `string_to_array(${parameter}, E'\\n', '')`;
}
