import type { Page } from '@watchword/contracts';
import { call, operatorPath } from './api.js';
import { button, type Column, element, table } from './element.js';

/** What a view may do with the page around it. */
export interface Stage {
  /** Where the view draws. */
  readonly into: HTMLElement;
  /** Parameters after the view's name in the address. */
  readonly query: URLSearchParams;
  /** Does work, and shows the error if it fails. */
  run: (work: () => Promise<void>) => Promise<void>;
  /** Says what was done. */
  say: (text: string) => void;
  /** Draws the view again. */
  again: () => void;
  /** Shows a view with these parameters, also where the address has them already. */
  go: (view: string, query: Record<string, string>) => void;
}

export interface View {
  readonly name: string;
  readonly title: string;
  show: (stage: Stage) => Promise<void>;
}

/** A search reads a part at a time, and may find nothing in it. */
const NOT_YET = 'Nothing in the newest part. Look at the older ones.';

/** A list of the operator API, page after page. */
export async function list<Row>(
  stage: Stage,
  { path, query = {}, columns, none, onOpen }: List<Row>,
): Promise<HTMLElement> {
  const box = element('section');
  const load = async (cursor: string | undefined): Promise<void> => {
    const from = operatorPath(path, { limit: '50', ...query, cursor });
    const { data, next_cursor: next } = await call<Page<Row>>('GET', from);
    const rows = table(columns, data, next === undefined ? none : NOT_YET, onOpen);
    if (next === undefined) box.replaceChildren(rows);
    else
      box.replaceChildren(
        rows,
        button('Older', () => stage.run(() => load(next))),
      );
  };
  await load(undefined);
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
