/** A flame graph as an SVG picture: each row is a function, below it what it called; widths are shares of time. */
import { partOf, placeOf, type Sample } from './profile.ts';

interface Frame {
  name: string;
  part: string;
  us: number;
  callees: Map<string, Frame>;
}

const WIDTH = 1_600;
const ROW = 17;
const HEAD = 48;
/** Pixels below which a frame is left out. */
const NARROWEST = 1.2;
/** Average width of a character of the font, in pixels. */
const CHARACTER = 6.4;
const COLOURS: Record<string, string> = {
  'apps/gateway': '#8ecae6',
  'apps/billing': '#a7c957',
  'apps/dispatch': '#f6bd60',
  'apps/webhooks': '#f28482',
  libs: '#cdb4db',
  pg: '#f7ede2',
  fastify: '#b5e2b8',
  '@nestjs': '#ffcad4',
  node: '#dddddd',
  'V8 and kernel': '#bbbbbb',
  others: '#e9ecef',
};

/** Returns the picture of these samples. `title` says what was measured. */
export function flameGraph(title: string, samples: readonly Sample[]): string {
  const root: Frame = { name: 'all', part: 'others', us: 0, callees: new Map() };
  for (const { stack, us } of samples) {
    let frame = root;
    frame.us += us;
    for (const { functionName, url } of stack) frame = calleeOf(frame, functionName, url, us);
  }
  const shapes: string[] = [];
  const depth = draw(root, { x: 0, row: 0, scale: WIDTH / root.us, all: root.us }, shapes);
  const height = HEAD + (depth + 1) * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    `<text x="8" y="18" font-size="14">${escaped(title)}</text>`,
    legend(),
    ...shapes,
    '</svg>\n',
  ].join('\n');
}

function calleeOf(caller: Frame, functionName: string, url: string, us: number): Frame {
  const name = functionName || '(anonymous)';
  const part = url === '' ? 'V8 and kernel' : groupOf(partOf(placeOf(url)));
  const key = `${name} ${part}`;
  const frame = caller.callees.get(key) ?? { name, part, us: 0, callees: new Map() };
  caller.callees.set(key, frame);
  frame.us += us;
  return frame;
}

function groupOf(part: string): string {
  const first = part.split('/')[0]!;
  if (first.startsWith('pg')) return 'pg';
  return [part, first, first.split(':')[0]!].find((name) => name in COLOURS) ?? 'others';
}

interface Place {
  x: number;
  row: number;
  /** Pixels of a µs. */
  scale: number;
  all: number;
}

/** Draws a frame and what it called. Returns the lowest row. */
function draw(frame: Frame, { x, row, scale, all }: Place, shapes: string[]): number {
  const width = frame.us * scale;
  if (width < NARROWEST) return 0;
  const y = HEAD + row * ROW;
  const share = `${((100 * frame.us) / all).toFixed(1)} %`;
  const label = frame.name.slice(0, Math.max(0, Math.floor((width - 4) / CHARACTER)));
  shapes.push(
    `<g><title>${escaped(`${frame.name} (${frame.part}): ${share}`)}</title>` +
      `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${COLOURS[frame.part]}"/>` +
      (label.length > 2
        ? `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(label)}</text>`
        : '') +
      '</g>',
  );
  let [lowest, from] = [row, x];
  for (const callee of [...frame.callees.values()].toSorted((a, b) => b.us - a.us)) {
    lowest = Math.max(lowest, draw(callee, { x: from, row: row + 1, scale, all }, shapes));
    from += callee.us * scale;
  }
  return lowest;
}

function legend(): string {
  return Object.entries(COLOURS)
    .map(
      ([part, colour], index) =>
        `<rect x="${8 + index * 140}" y="27" width="12" height="12" fill="${colour}"/>` +
        `<text x="${24 + index * 140}" y="37">${part}</text>`,
    )
    .join('');
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
