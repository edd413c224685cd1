/**
 * Copies the Markdown that pages.json names to `.pages`, where VitePress reads it, with links between pages of the
 * site. A link to a file that is not on the site, such as a decision or source code, becomes plain text.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const app = import.meta.dirname;
const root = join(app, '../..');
const target = join(app, '.pages');
const COLLECTED = join(target, 'groups.json');

/** Served by the installation itself, so they are always those of its version. */
const LIVE = {
  'docs/reference/openapi.json': '/openapi.json',
  'docs/reference/openapi-dashboard.json': '/openapi/dashboard.json',
  'docs/reference/openapi-operator.json': '/openapi/operator.json',
};
/** Copied beside the pages. */
const FILES = { 'docs/reference/asyncapi.json': 'asyncapi.json' };

/** Groups of the sidebar with `{ text, link, source }` for each page. */
export function groupsOfPages() {
  const groups = JSON.parse(readFileSync(join(app, 'pages.json'), 'utf8'));
  return groups.map(({ items, folder, at, ...group }) => ({
    ...group,
    items: (items ?? pagesOfFolder(folder, at)).map(([path, source, text = titleOf(source)]) => ({
      text,
      link: `/${path}`,
      source,
    })),
  }));
}

function pagesOfFolder(folder, at) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  const index = names.filter((name) => name === 'README.md');
  const others = names.filter((name) => name !== 'README.md').toSorted();
  return [...index, ...others].map((name) => [
    name === 'README.md' ? at : `${at}/${name.slice(0, -'.md'.length)}`,
    `${folder}/${name}`,
  ]);
}

function titleOf(source) {
  const [, title = source] = /^# (.+)$/m.exec(readFileSync(join(root, source), 'utf8')) ?? [];
  return title.replaceAll('`', '');
}

function collect() {
  const groups = groupsOfPages();
  const places = new Map(groups.flatMap(({ items }) => items.map((one) => [one.source, one.link])));
  rmSync(target, { recursive: true, force: true });
  for (const [source, link] of places) {
    const text = withSiteLinks(readFileSync(join(root, source), 'utf8'), source, places);
    write(`${link}.md`, text);
  }
  for (const [source, name] of Object.entries(FILES)) copy(source, name);
  copyFileSync(join(app, 'index.md'), join(target, 'index.md'));
  write('api.md', apiPage('keys'));
  for (const name of ['dashboard', 'operator']) write(`api/${name}.md`, apiPage(name));
  writeFileSync(COLLECTED, JSON.stringify(groups));
}

const apiPage = (name) =>
  `---\nlayout: api\ntitle: API reference\nsidebar: false\ndocument: ${name}\n---\n`;

/** Blocks of code are left alone: what looks like a link there is none. */
function withSiteLinks(text, source, places) {
  return text
    .split(/(^ *```[\s\S]*?^ *```)/m)
    .map((part, index) => (index % 2 === 1 ? part : linked(part, source, places)))
    .join('');
}

function linked(text, source, places) {
  return text.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, image, label, to) => {
    if (/^(?:[a-z]+:|#)/.test(to)) return whole;
    const [path, anchor] = to.split('#');
    const file = posix.join(dirname(source), path);
    if (image) return `![${label}](/${copy(file, file.split('/').at(-1))})`;
    if (LIVE[file]) return `[${label}](pathname://${LIVE[file]})`;
    if (FILES[file]) return `[${label}](pathname:///docs/${FILES[file]})`;
    const place = places.get(file) ?? places.get(`${file}/README.md`);
    return place ? `[${label}](${place}${anchor ? `#${anchor}` : ''})` : label;
  });
}

function copy(source, name) {
  mkdirSync(join(target, 'public'), { recursive: true });
  copyFileSync(join(root, source), join(target, 'public', name));
  return name;
}

function write(name, text) {
  const file = join(target, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

collect();
