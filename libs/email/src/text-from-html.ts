import type { BlockTextBuilder, Element, HtmlToTextOptions, Walk } from 'html-to-text';

/** Characters. Longer HTML is not converted, because the conversion is not linear. */
const HTML_LENGTH_MAX = 512 * 1_024;
const DEPTH_MAX = 1_000;

/** Elements without an end tag, or whose end tag may be left out. */
const UNNESTED = new Set(
  'area base br col dd dt embed hr img input li link meta option p source td th tr wbr'.split(' '),
);

const ROW = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const OPTIONS: HtmlToTextOptions = {
  limits: { maxDepth: DEPTH_MAX },
  formatters: { cell },
  selectors: [
    { selector: 'tr', format: 'block', options: ROW },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
};

/**
 * Returns the text for a reader without HTML. Cells are separated by tabs and rows by lines, as
 * `innerText` does. Empty for HTML that is too large or too deep.
 */
export async function textFromHtml(html: string): Promise<string> {
  if (html.length > HTML_LENGTH_MAX || isTooDeep(html)) return '';
  // Large, and used by a process that reads HTML only.
  const { htmlToText } = await import('html-to-text');
  return htmlToText(html, OPTIONS)
    .replaceAll(/ *\t */g, '\t')
    .trim();
}

/** The conversion is not linear in the depth, so it is counted first. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (UNNESTED.has(name!.toLowerCase())) continue;
    depth = slash === '' ? depth + 1 : Math.max(depth - 1, 0);
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

function cell(element: Element, walk: Walk, builder: BlockTextBuilder): void {
  let before = element.prev;
  while (before && before.type !== 'tag') before = before.prev;
  if (before) builder.addLiteral('\t');
  walk(element.children, builder);
}
