import { readFileSync } from 'node:fs';

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Memory of a process in megabytes, what it shares with others counted in part (Linux). */
export function proportionalMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Math.round(Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024);
}

/** Prints rows under their headings, columns aligned. */
export function printTable(headings: string[], rows: (string | number)[][]): void {
  const texts = [headings, ...rows.map((row) => row.map(String))];
  const widths = headings.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)));
  for (const row of texts) {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`);
    if (row === headings)
      console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  }
}
