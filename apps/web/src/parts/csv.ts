/** Spreadsheets take a leading `=`, `+`, `-` or `@` for a formula. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@]/.test(value) ? `'${value}` : String(value);
  return `"${text.replaceAll('"', '""')}"`;
}

export function downloadCsv(name: string, rows: readonly (readonly (string | number)[])[]): void {
  const text = rows.map((row) => row.map(cell).join(',')).join('\r\n');
  download(`${name}.csv`, new Blob([text], { type: 'text/csv' }));
}

export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
