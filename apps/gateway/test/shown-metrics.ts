import { renderMetrics } from '@watchword/observability';

/** Returns the sum of the series with lines that begin like this, as a scrape shows them. */
export async function shown(series: string): Promise<number> {
  const lines = (await renderMetrics()).split('\n').filter((line) => line.startsWith(series));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
