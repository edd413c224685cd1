import type { LedgerEntry, Statement } from '@watchword/contracts';

/** RFC 4180, with the member names as header. A missing member is an empty field. */
const MEMBERS = [
  'id',
  'kind',
  'top_up_kind',
  'credits',
  'balance_after',
  'message_id',
  'payment_id',
  'note',
  'created_at',
] as const satisfies readonly (keyof LedgerEntry)[];

export const CSV_HEADER = `${MEMBERS.join(',')}\r\n`;

export function csvLine(entry: LedgerEntry): string {
  return `${MEMBERS.map((member) => csvField(entry[member])).join(',')}\r\n`;
}

const STATEMENT_HEADER = 'line,channel,country,top_up_kind,count,credits\r\n';

/** Returns a statement as CSV: the balances before and after, and a line for each sum between them. */
export function statementCsv(statement: Statement): string {
  const { opening, charges, refunds, top_ups: topUps, closing } = statement;
  const lines = [
    { line: 'opening', credits: opening },
    ...charges.map((each) => ({ line: 'charges', ...each })),
    ...refunds.map((each) => ({ line: 'refunds', ...each })),
    ...topUps.map((each) => ({ line: 'top_ups', ...each })),
    { line: 'closing', credits: closing },
  ];
  const members = ['line', 'channel', 'country', 'top_up_kind', 'count', 'credits'];
  const textOf = (line: Record<string, string | number | null>) =>
    members.map((member) => csvField(line[member] ?? undefined)).join(',');
  return STATEMENT_HEADER + lines.map((line) => `${textOf(line)}\r\n`).join('');
}

/** Characters at which spreadsheets read a text as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function csvField(value: string | number | undefined): string {
  const raw = value === undefined ? '' : String(value);
  const text = typeof value === 'string' && FORMULA.test(raw) ? `'${raw}` : raw;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns whether CSV is requested by name and JSON is not preferred to it. */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const csv = qualityOf('text/csv', accept);
  return csv > 0 && csv >= qualityOf('application/json', accept);
}

function qualityOf(type: string, accept: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}
