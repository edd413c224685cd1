import { type CatalogueEntry, ERROR_CATALOGUE } from './error-catalogue.js';

const HEAD = `# Errors

Every answer that is not a success is \`{"error": {"type", "message", "field"?, "request_id",
"retry_after_seconds"?}}\`. Match on \`type\`: it never changes. \`message\` is prose in the default
language of the key's workspace, and without a key in English; \`Accept-Language: en\` or \`fr\` asks
for another one. \`field\` names the input to blame.

The status below is that of the type. A \`validation_error\` is also 405 (with \`Allow\`), 408, 413, 415
or 431 where the request as a whole is the problem, and an \`internal_error\` 503 (with
\`Retry-After\`) while the service is busy.

| Type | Status | English | French | Retry the same request | What to do next |
| --- | --- | --- | --- | --- | --- |
`;

/** Returns the reference page of all errors, made from the catalogue. */
export function errorReference(): string {
  const rows = Object.entries(ERROR_CATALOGUE).map(([type, entry]) => row(type, entry));
  return `${HEAD}${rows.join('\n')}\n`;
}

function row(type: string, { status, en, fr, retriable, next }: CatalogueEntry): string {
  const cells = [`\`${type}\``, status, en, fr, retriable ? 'yes' : 'no', next];
  return `| ${cells.join(' | ')} |`;
}
