import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';

export interface Point {
  name: string;
  count: number | null;
}

/** Days as an area, anything else as bars. */
export default function Drawing({
  rows,
  isTime,
  label,
}: {
  rows: Point[];
  isTime: boolean;
  label: string;
}) {
  const series = [{ name: 'count', label, color: 'indigo.6' }];
  const common = { h: 220, data: rows, dataKey: 'name', series, tickLine: 'none' } as const;
  return isTime ? (
    <AreaChart {...common} curveType="monotone" connectNulls={false} />
  ) : (
    <BarChart {...common} maxBarWidth={48} />
  );
}
