import type { Page } from '@watchword/contracts';
import { call, operatorPath } from './api.js';
import { button, type Column, element, table } from './element.js';

/** What a view may do with the page around it. */
export interface Stage {
  /** Where the view draws. */
  readonly into: HTMLElement;
  /** Parameters after the view's name in the address. */
  readonly query: URLSearchParams;
  /** What `go` kept out of the address. Forgotten when another address is opened. */
  readonly kept: Readonly<Record<string, string>>;
  /** Does work, and shows the error if it fails. */
  run: (work: () => Promise<void>) => Promise<void>;
  /** Says what was done. */
  say: (text: string) => void;
  /** Draws the view again. */
  again: () => void;
  /**
   * Shows a view with these parameters, also where the address has them already. What is personal is
   * `kept`: addresses stay in the browser's history.
   */
  go: (view: string, query: Record<string, string>, kept?: Record<string, string>) => void;
}

export interface View {
  readonly name: string;
  readonly title: string;
  show: (stage: Stage) => Promise<void>;
}

/** A search reads a part at a time, and may find nothing in it. */
const NOT_YET = 'Nothing in this part. Look at the older ones.';

/**
 * A list of the operator API, page after page. The API leads to older pages only, so the cursors of
 * the pages that were visited lead back.
 */
export async function list<Row>(
  stage: Stage,
  { path, query = {}, columns, none, onOpen }: List<Row>,
): Promise<HTMLElement> {
  const box = element('section');
  const turn = (word: string, cursors: readonly string[]) =>
    button(word, () => stage.run(() => load(cursors)));
  const load = async (cursors: readonly string[]): Promise<void> => {
    const from = operatorPath(path, { limit: '50', ...query, cursor: cursors.at(-1) });
    const { data, next_cursor: next } = await call<Page<Row>>('GET', from);
    const rows = table(columns, data, next === undefined ? none : NOT_YET, onOpen);
    const newer = cursors.length === 0 ? '' : turn('Newer', cursors.slice(0, -1));
    const older = next === undefined ? '' : turn('Older', [...cursors, next]);
    box.replaceChildren(rows, newer, ' ', older);
  };
  await load([]);
  return box;
}

interface List<Row> {
  path: readonly string[];
  query?: Record<string, string | undefined>;
  columns: Column<Row>[];
  /** What stands there when the list is empty. */
  none: string;
  onOpen?: (row: Row) => void;
}

/** Asks for a reason, which the audit keeps. Null when the operator thinks again. */
export function askReason(question: string): string | null {
  const reason = prompt(`${question}\nReason, for the audit:`)?.trim();
  return reason === undefined || reason === '' ? null : reason;
}
