export type Child = Node | string | null;

/** Makes an element. Texts become text nodes, so nothing that a customer wrote is read as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

export interface Column<Row> {
  title: string;
  of: (row: Row) => Child;
}

/** A table, or `none` where there are no rows. A row with `onOpen` opens by a click or by Enter. */
export function table<Row>(
  columns: Column<Row>[],
  rows: readonly Row[],
  none: string,
  onOpen?: (row: Row) => void,
): HTMLElement {
  if (rows.length === 0) return element('p', { className: 'quiet' }, none);
  const head = element('tr', {}, ...columns.map(({ title }) => element('th', {}, title)));
  const body = rows.map((row) => {
    const cells = columns.map((column) => element('td', {}, column.of(row)));
    const line = element('tr', {}, ...cells);
    if (onOpen) {
      line.tabIndex = 0;
      line.addEventListener('click', () => onOpen(row));
      line.addEventListener('keydown', ({ key, target }) => {
        if (key === 'Enter' && target === line) onOpen(row);
      });
    }
    return line;
  });
  return element('table', {}, element('thead', {}, head), element('tbody', {}, ...body));
}

/** Name and value of each member that is a value or a list of texts. */
export function facts(record: object): HTMLElement {
  const shown = Object.entries(record)
    .map(([name, value]: [string, unknown]) => [name, factText(value)] as const)
    .filter(([, text]) => text !== '');
  const lines = shown.flatMap(([name, text]) => [
    element('dt', {}, name.replaceAll('_', ' ')),
    element('dd', {}, name.endsWith('_at') ? moment(text) : text),
  ]);
  return element('dl', {}, ...lines);
}

function factText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(', ');
  return typeof value === 'object' ? '' : String(value);
}

/** A time in UTC, to the second. */
export function moment(text: string): string {
  return text.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '');
}

/** A word that stands for a state; `isBad` shows it as one to look at. */
export function badge(word: string, isBad: boolean): HTMLElement {
  return element('span', { className: isBad ? 'badge bad' : 'badge' }, word);
}

export function button(text: string, onPress: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, text);
  made.addEventListener('click', (event) => {
    event.stopPropagation();
    onPress();
  });
  return made;
}

export interface Field {
  name: string;
  label: string;
  value?: string;
  type?: 'text' | 'password' | 'email' | 'number';
  isRequired?: boolean;
  choices?: readonly string[];
  autocomplete?: AutoFill;
}

/** A form whose fields `onSend` gets by name; fields that are left empty are missing. */
export function form(
  fields: readonly Field[],
  action: string,
  onSend: (values: Record<string, string>) => Promise<void>,
): HTMLFormElement {
  const send = element('button', {}, action);
  const made = element('form', {}, ...fields.map(input), send);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    const given = [...new FormData(made)].map(([name, value]) => [name, String(value).trim()]);
    send.disabled = true;
    void onSend(Object.fromEntries(given.filter(([, value]) => value !== ''))).finally(() => {
      send.disabled = false;
    });
  });
  return made;
}

function input(field: Field) {
  const { name, label, value = '', type = 'text', isRequired: required = false, choices } = field;
  const { autocomplete = 'off' } = field;
  const made = choices
    ? element('select', { name, required }, ...choices.map((choice) => new Option(choice, choice)))
    : element('input', { name, type, required, autocomplete });
  if (value !== '') made.value = value;
  return element('label', {}, label, made);
}
