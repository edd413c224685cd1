import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';

export interface Point {
  name: string;
  count: number | null;
}

/** Rows that are drawn; the table has all. */
const BARS_MAX = 12;
/** Pixels. */
const BAR = 34;
const AXIS = 40;
const NAMES = 120;

/** Days as an area, anything else as bars with their names beside them, however long. */
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
  const common = { dataKey: 'name', series, tickLine: 'none' } as const;
  if (isTime) {
    return <AreaChart {...common} h={220} data={rows} curveType="monotone" connectNulls={false} />;
  }
  const drawn = rows.slice(0, BARS_MAX);
  return (
    <BarChart
      {...common}
      h={drawn.length * BAR + AXIS}
      data={drawn}
      orientation="vertical"
      gridAxis="y"
      maxBarWidth={22}
      yAxisProps={{ width: NAMES, interval: 0 }}
      xAxisProps={{ allowDecimals: false }}
    />
  );
}
