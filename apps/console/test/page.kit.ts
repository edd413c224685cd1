/** A stand-in for a browser's page, as small as the console needs it, and for the server that it asks. */
import { setImmediate } from 'node:timers/promises';

type Listener = (event: object) => void;

/** An element, or a text where it has no tag. */
export class FakeElement {
  [property: string]: unknown;
  readonly listeners = new Map<string, Listener[]>();
  children: FakeElement[] = [];
  className = '';

  constructor(
    readonly tag: string,
    private own = '',
  ) {}

  append(...children: (FakeElement | string)[]): void {
    const nodes = children.map((one) => (typeof one === 'string' ? new FakeElement('', one) : one));
    this.children.push(...nodes);
  }

  replaceChildren(...children: (FakeElement | string)[]): void {
    this.children = [];
    this.append(...children);
  }

  hasChildNodes(): boolean {
    return this.children.length > 0;
  }

  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  removeEventListener(type: string, listener: Listener): void {
    this.listeners.set(
      type,
      (this.listeners.get(type) ?? []).filter((one) => one !== listener),
    );
  }

  fire(type: string): void {
    const event = { target: this, preventDefault: () => {}, stopPropagation: () => {} };
    for (const listener of this.listeners.get(type) ?? []) listener(event);
  }

  querySelectorAll(tag: string): FakeElement[] {
    return this.children.flatMap((one) => [
      ...(one.tag === tag ? [one] : []),
      ...one.querySelectorAll(tag),
    ]);
  }

  scrollIntoView(): void {}

  get hash(): string {
    return String(this['href']);
  }

  get textContent(): string {
    return this.own + this.children.map(({ textContent }) => textContent).join(' ');
  }

  set textContent(text: string) {
    this.children = [];
    this.own = text;
  }
}

export interface Call {
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

type Answers = (call: Call) => [status: number, body: object] | undefined;

export interface ConsolePage {
  readonly main: FakeElement;
  readonly note: FakeElement;
  readonly calls: Call[];
  /** Each address that the browser's history has. */
  readonly visited: string[];
  /** What `confirm` and `prompt` asked. */
  readonly asked: string[];
  open: (hash: string) => Promise<void>;
  press: (button: string) => Promise<void>;
  /** Fills the fields of the only form in `main`, and submits it. */
  submit: (values: Record<string, string>) => Promise<void>;
}

const SESSION = {
  user: { user_id: 'u', email: 'ada@acme.example', operator: true },
  csrf_token: 'c',
};
// By a variable, because specs are compiled without the types of a browser.
const MAIN: string = '../src/main.js';
let opened = 0;

const PAGE_GLOBALS = ['window', 'location', 'document', 'history', 'confirm', 'prompt', 'Option'];

/** Takes the page out of the globals, which other files of tests share. For `afterAll`. */
export function closeConsole(): void {
  for (const name of PAGE_GLOBALS) Reflect.deleteProperty(globalThis, name);
}

/** Opens the console as an operator. A call that `answers` leaves out has an empty list as its answer. */
export async function openConsole(answers: Answers): Promise<ConsolePage> {
  const [main, nav, note, window] = ['main', 'nav', 'p', 'window'].map(
    (tag) => new FakeElement(tag),
  ) as [FakeElement, FakeElement, FakeElement, FakeElement];
  const [calls, visited, asked]: [Call[], string[], string[]] = [[], [], []];
  const location = { hash: '' };
  const visit = (hash: string) => {
    visited.push(hash);
    location.hash = hash;
  };
  const ask = (question: string) => asked.push(question) > 0;
  Object.assign(globalThis, {
    window,
    location,
    document: {
      documentElement: { lang: 'en' },
      createElement: (tag: string) => new FakeElement(tag),
      querySelector: (selector: string) => ({ main, nav })[selector] ?? note,
    },
    history: { pushState: (_state: unknown, _title: string, hash: string) => visit(hash) },
    confirm: ask,
    prompt: (question: string) => (ask(question) ? 'Ticket 7' : null),
    Option: FakeOption,
    FormData: FakeFormData,
    fetch: fetchFrom(answers, calls),
  });
  // With new modules: the page keeps its state in them.
  opened += 1;
  await import(`${MAIN}?opened=${opened}`);
  // Nothing here waits for a timer or a socket, so that all is drawn before the next turn.
  await setImmediate();
  return {
    ...{ main, note, calls, visited, asked },
    async open(hash) {
      visit(hash);
      window.fire('hashchange');
      await setImmediate();
    },
    async press(text) {
      const buttons = [nav, main].flatMap((part) => part.querySelectorAll('button'));
      only(buttons.filter(({ textContent }) => textContent === text)).fire('click');
      await setImmediate();
    },
    async submit(values) {
      const form = only(main.querySelectorAll('form'));
      for (const [name, value] of Object.entries(values)) {
        only(fieldsOf(form).filter((field) => field['name'] === name))['value'] = value;
      }
      form.fire('submit');
      await setImmediate();
    },
  };
}

class FakeOption extends FakeElement {
  constructor(text: string) {
    super('option', text);
  }
}

class FakeFormData {
  constructor(private readonly form: FakeElement) {}

  *[Symbol.iterator]() {
    for (const field of fieldsOf(this.form)) yield [field['name'], field['value'] ?? ''];
  }
}

function fieldsOf(form: FakeElement): FakeElement[] {
  return [...form.querySelectorAll('input'), ...form.querySelectorAll('select')];
}

function fetchFrom(answers: Answers, calls: Call[]) {
  return async (path: string, sent: { method: string; body: string | null; headers: object }) => {
    const body: unknown = sent.body === null ? undefined : JSON.parse(sent.body);
    const call = { method: sent.method, path, body, headers: { ...sent.headers } };
    calls.push(call);
    const [status, answer] = ['/auth/me', '/auth/login'].includes(path)
      ? [200, SESSION]
      : (answers(call) ?? [200, { data: [] }]);
    return { status, ok: status < 400, json: async () => answer };
  };
}

function only(elements: FakeElement[]): FakeElement {
  const [first] = elements;
  if (!first || elements.length > 1) throw new Error(`${elements.length} elements fit, not one`);
  return first;
}

/** Texts of the buttons in `main`. */
export function buttonsOf({ main }: ConsolePage): string[] {
  return main.querySelectorAll('button').map(({ textContent }) => textContent);
}
