export interface ErrorFields {
  name: string;
  message: string;
  /** SQLSTATE, or a code of Node such as ECONNREFUSED. Not named `code`: that name is redacted. */
  errorCode?: string;
  stack?: string;
  cause?: ErrorFields;
}

const causesMax = 3;

/**
 * What of an error may be logged. Errors carry whatever their makers hang on them: those of the
 * database driver hold its client with its keys and the statement with its values, and a `detail`
 * that quotes the row. So this is a list of what goes in, not of what stays out.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error) };
  const fields: ErrorFields = { name: error.name, message: error.message };
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) fields.errorCode = String(code);
  if (error.stack !== undefined) fields.stack = error.stack;
  const { cause } = error;
  if (cause !== undefined && depth < causesMax) fields.cause = errorFields(cause, depth + 1);
  return fields;
}
