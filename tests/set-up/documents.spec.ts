/** The pages of the operator's guide stay short, and every link between documents leads somewhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { conformanceReference } from '../../tools/conformance-reference.js';
import { DEFAULT_EVENTS, OPT_IN_EVENTS, TOPICS } from '@watchword/contracts';

const root = join(import.meta.dirname, '../..');
const WORDS_MAX = 1_200;
const GUIDE = 'docs/guides/operate';

/** Tracked, and new ones that are not ignored. */
const pages = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((name) => name !== '' && existsSync(join(root, name)));

const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** Returns the anchors that GitHub derives from headings. */
function anchorsOf(page: string): string[] {
  const headings = withoutBlocks(textOf(page)).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
}

function brokenLinksOf(page: string): string[] {
  const links = [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, to = '']) => to,
  );
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
}

it('the guide to webhooks lists the events that endpoints of variant A get, and those that they can get', () => {
  const text = textOf('docs/guides/receive-webhooks.md');
  const [, byDefault = '', optIn = ''] =
    /Sent by default:([\s\S]*?)Others are opt-in\s+\([^)]*\):([\s\S]*?)`sequence`/.exec(text) ?? [];
  const namesIn = (list: string) => [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(namesIn(byDefault).toSorted()).toEqual([...DEFAULT_EVENTS].toSorted());
  expect(namesIn(optIn).toSorted()).toEqual([...OPT_IN_EVENTS].toSorted());
});

it('the guide to topics says how long each keeps its messages', () => {
  const isShort = (name: string) =>
    /^svc\.(send-commands|platform-emails|delivery-reports)\./.test(name);
  for (const { name, retentionHours } of Object.values(TOPICS)) {
    expect([name, retentionHours]).toEqual([name, isShort(name) ? 72 : 168]);
  }
  const text = textOf('docs/guides/consume-topics.md');
  expect(text).toContain('72 hours for commands to send and delivery reports, 168 for all others');
});

describe("the operator's guide", () => {
  const isForOperators = (page: string) =>
    page.startsWith(`${GUIDE}/`) ||
    page === `${GUIDE}.md` ||
    textOf(page).includes('\nThis page is for operators.');
  const own = pages.filter(isForOperators);

  it.each(own)(`%s has at most ${WORDS_MAX} words`, (page) => {
    expect(textOf(page).split(/\s+/).length).toBeLessThanOrEqual(WORDS_MAX);
  });

  it('names each of its pages in the index', () => {
    const index = textOf(`${GUIDE}.md`);
    const missing = own
      .filter((page) => page !== `${GUIDE}.md`)
      .map((page) => page.slice(GUIDE.length - 'operate'.length));
    expect(missing).toContain('bounces.md');
    expect(missing.length).toBeGreaterThan(8);
    expect(missing.filter((page) => !index.includes(`](${page})`))).toEqual([]);
  });
});

it('every relative link of a document leads to a file, and to a heading of it', () => {
  expect(pages.length).toBeGreaterThan(50);
  const broken = pages.flatMap((page) => brokenLinksOf(page).map((link) => `${page}: ${link}`));
  expect(broken).toEqual([]);
});

it('every guide and reference for readers is a page of the site, once', () => {
  const groups = JSON.parse(textOf('apps/docs/pages.json')) as {
    items?: [path: string, source: string][];
    folder?: string;
  }[];
  const items = groups.flatMap((group) => group.items ?? []);
  const sources = items.map(([, source]) => source);
  expect(new Set(items.map(([path]) => path)).size).toBe(items.length);
  const forReaders = pages.filter((page) => /^docs\/(?:guides|reference|fr)\//.test(page));
  expect(sources.filter((source) => source.startsWith('docs/')).toSorted()).toEqual(
    forReaders.toSorted(),
  );
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
});

it('each chapter of the specification, and each of its decisions, has tests that name it', () => {
  const sections = conformanceReference(root).matchAll(/^## (Interface|Decisions) (\d+)/gm);
  const tested = new Set([...sections].map(([, book, chapter]) => `${book} ${chapter}`));
  const numbers = (book: string, last: number) =>
    Array.from({ length: last }, (_, index) => `${book} ${index + 1}`);
  const expected = [...numbers('Interface', 8), ...numbers('Decisions', 28)];
  expect(expected.filter((section) => !tested.has(section))).toEqual([]);
});
