/** Commands that pages show: lines of shell and SQL, and code within sentences. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

export interface Shown {
  readonly page: string;
  readonly text: string;
}

const markdownIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

export const pages = [
  'README.md',
  'helm/watchword/README.md',
  'helm/watchword/templates/NOTES.txt',
  ...markdownIn('docs/guides'),
  ...markdownIn('docs/runbooks'),
].map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));

const FENCED = /^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;

/** Lines of the blocks of one language, comments taken off, a line and those that continue it as one. */
export function linesOf(language: 'sh' | 'sql'): Shown[] {
  return pages.flatMap(({ page, text }) =>
    [...text.matchAll(FENCED)]
      .filter(([, , written]) => written === language)
      .flatMap(([, , , block = '']) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
      .map((line) => ({ page, text: line.replace(/(^|\s)(#|--) .*$/, '').trim() }))
      .filter((line) => line.text !== ''),
  );
}

/** Code within sentences. */
export const spans: readonly Shown[] = pages.flatMap(({ page, text }) =>
  [...text.replaceAll(FENCED, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => ({
    page,
    text: code,
  })),
);

/** Everything that is shown as code. */
export const code: readonly Shown[] = [...linesOf('sh'), ...linesOf('sql'), ...spans];

/** The groups of each match, with the page, and what is wrong with it. */
export function complaints(
  pattern: RegExp,
  complain: (match: RegExpMatchArray) => string | undefined,
  among: readonly Shown[] = code,
): string[] {
  return among.flatMap(({ page, text }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const complaint = complain(match);
      return complaint === undefined ? [] : `${page}: ${complaint}`;
    }),
  );
}

/** Counts matches, because a pattern without matches proves nothing. */
export const countOf = (pattern: RegExp): number =>
  code.reduce((count, { text }) => count + [...text.matchAll(pattern)].length, 0);
