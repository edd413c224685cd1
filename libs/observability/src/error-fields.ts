export interface ErrorFields {
  name: string;
  message: string;
  /**
   * SQLSTATE, or a code of Node such as ECONNREFUSED. Not named `code`, because that name is
   * redacted.
   */
  errorCode?: string;
  stack?: string;
  cause?: ErrorFields;
}

const CAUSES_MAX = 3;
/**
 * PostgreSQL's messages about data (class 22) quote it. Its other messages name tables and the
 * like.
 */
const QUOTING_STATE = /^22[0-9A-Z]{3}$/;
const WITHHELD = 'withheld, because it quotes a value';

/**
 * Returns the fields of an error that may be logged. Errors have arbitrary fields: those of the
 * database driver hold its client with its keys, the statement with its values, and a `detail` that
 * quotes the row. So this list says what is logged; everything else is left out.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  const isQuoting = QUOTING_STATE.test(String(code));
  const message = isQuoting ? WITHHELD : error.message;
  const fields: ErrorFields = { name: error.name, message };
  if (code !== undefined) fields.errorCode = String(code);
  if (error.stack !== undefined) {
    fields.stack = isQuoting ? error.stack.replace(error.message, () => WITHHELD) : error.stack;
  }
  const { cause } = error;
  if (cause !== undefined && depth < CAUSES_MAX) fields.cause = errorFields(cause, depth + 1);
  return fields;
}
