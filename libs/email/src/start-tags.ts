/** An attribute of a start tag, with the position of its value in the source. */
export interface TagAttribute {
  readonly name: string;
  readonly value: string;
  /** Positions of the value with its quotes. Equal where there is no value. */
  readonly start: number;
  readonly end: number;
}

export interface StartTag {
  readonly name: string;
  readonly attributes: readonly TagAttribute[];
}

/** Elements with text as content, not markup. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed']);
const NAME = /[a-zA-Z][^\s/>]*/y;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>][^\s>]*))?/y;
const END = /[\s/]*>/y;
const ATTRIBUTES_MAX = 256;

/**
 * Yields the start tags of an HTML document, in order. It parses as browsers do: comments and the
 * text of scripts contain no tags. Incomplete tags are skipped, so a caller that replaces values
 * leaves the rest unchanged. Linear in the length of the text.
 */
export function* startTags(html: string): Generator<StartTag> {
  let at = html.indexOf('<');
  while (at >= 0) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      if (end < 0) return;
      at = html.indexOf('<', end + 3);
      continue;
    }
    const { tag, end } = readTag(html, at + 1);
    if (tag !== null) yield tag;
    const isText = tag !== null && RAW_TEXT.has(tag.name);
    const from = isText ? endOfRawText(html, tag.name, end) : end;
    if (from < 0) return;
    at = html.indexOf('<', from);
  }
}

/** `end` is the position where reading continues. */
interface ReadTag {
  readonly tag: StartTag | null;
  readonly end: number;
}

function readTag(html: string, start: number): ReadTag {
  NAME.lastIndex = start;
  const name = NAME.exec(html)?.[0].toLowerCase();
  if (name === undefined) return { tag: null, end: start };
  const attributes: TagAttribute[] = [];
  let at = NAME.lastIndex;
  while (attributes.length < ATTRIBUTES_MAX) {
    END.lastIndex = at;
    if (END.test(html)) return { tag: { name, attributes }, end: END.lastIndex };
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(html);
    if (found === null) break;
    at = ATTRIBUTE.lastIndex;
    const written = found[2] ?? '';
    attributes.push({
      name: found[1]!.toLowerCase(),
      value: decodeEntities(/^["']/.test(written) ? written.slice(1, -1) : written),
      start: at - written.length,
      end: at,
    });
  }
  return { tag: null, end: at };
}

function endOfRawText(html: string, name: string, end: number): number {
  const close = new RegExp(`</${name}[\\s/>]`, 'gi');
  close.lastIndex = end;
  return close.exec(html)?.index ?? -1;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Decodes the entities that occur in URLs. Other names stay as they are. */
function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi,
    (whole, hex, dec, name) => {
      if (name !== undefined) return ENTITIES[(name as string).toLowerCase()] ?? whole;
      const point = hex === undefined ? Number(dec) : Number.parseInt(hex as string, 16);
      return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole;
    },
  );
}
