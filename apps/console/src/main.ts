import type { SessionAnswer } from '@watchword/contracts';
import { call, Refusal, useCsrfToken } from './api.js';
import { audit } from './audit.view.js';
import { carriers } from './carriers.view.js';
import { deadLetters } from './dead-letters.view.js';
import { button, element, form } from './element.js';
import { messages } from './messages.view.js';
import { senderIds } from './sender-ids.view.js';
import type { Stage, View } from './view.js';
import { workspaces } from './workspaces.view.js';

/** The first one is shown after signing in. */
const VIEWS: readonly View[] = [carriers, messages, workspaces, senderIds, deadLetters, audit];

const main = document.querySelector('main') as HTMLElement;
const bar = document.querySelector('nav') as HTMLElement;
const note = document.querySelector('[role=status]') as HTMLElement;

let drawing = 0;
let kept: Record<string, string> = {};

async function start(): Promise<void> {
  try {
    enter(await call<SessionAnswer>('GET', '/auth/me'));
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return signIn();
    say(error instanceof Error ? error.message : String(error), true);
  }
}

function signIn(): void {
  // What still loads is not drawn over the form.
  drawing += 1;
  kept = {};
  window.removeEventListener('hashchange', leaveKept);
  bar.replaceChildren();
  const fields = [
    { name: 'email', label: 'Email', type: 'email', autocomplete: 'username' },
    { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
  ] as const;
  const card = form(
    fields.map((field) => ({ ...field, isRequired: true })),
    'Sign in',
    (values) => run(async () => enter(await call<SessionAnswer>('POST', '/auth/login', values))),
  );
  card.className = 'card';
  main.replaceChildren(element('h1', {}, 'Watchword console'), card);
}

function enter({ user, csrf_token: token }: SessionAnswer): void {
  useCsrfToken(token);
  say('');
  const leave = button('Sign out', () =>
    run(async () => {
      await call('POST', '/auth/logout');
      signIn();
    }),
  );
  if (!user.operator) {
    const command = `PUT /operator/v1/users/${user.user_id}/operator`;
    const text = `${user.email} is no operator. The holder of the operator token can change that: `;
    main.replaceChildren(element('p', {}, text, element('code', {}, command)), leave);
    return;
  }
  const links = VIEWS.map(({ name, title }) => element('a', { href: `#${name}` }, title));
  bar.replaceChildren(...links, element('span', { className: 'quiet' }, user.email), leave);
  window.addEventListener('hashchange', leaveKept);
  show();
}

/** Unlike an assignment to `location.hash`, `pushState` causes no `hashchange`. */
function go(view: string, query: Record<string, string>, keeping = {}): void {
  const hash = `#${view}?${new URLSearchParams(query).toString()}`;
  if (location.hash !== hash) history.pushState(null, '', hash);
  kept = keeping;
  move();
}

function leaveKept(): void {
  kept = {};
  move();
}

function move(): void {
  say('');
  show();
}

/** Draws the view of the address. An older drawing that ends later is dropped. */
function show(): void {
  const [name = '', query = ''] = location.hash.slice(1).split('?');
  const view = VIEWS.find((one) => one.name === name) ?? (VIEWS[0] as View);
  for (const link of bar.querySelectorAll('a')) {
    link.ariaCurrent = link.hash === `#${view.name}` ? 'page' : null;
  }
  const mine = ++drawing;
  const into = element('div');
  const stage: Stage = { into, query: new URLSearchParams(query), kept, run, say, again: show, go };
  void run(async () => {
    try {
      await view.show(stage);
    } catch (error) {
      if (mine !== drawing) return;
      // Replaces the view before this one. A form that is drawn already stays, to correct a search.
      into.append(button('Try again', move));
      main.replaceChildren(element('h1', {}, view.title), into);
      throw error;
    }
    if (mine === drawing) main.replaceChildren(element('h1', {}, view.title), into);
  });
}

/** A session that has ended leads back to signing in; any other error is shown. */
async function run(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal && error.status === 401 && bar.hasChildNodes()) signIn();
    say(error instanceof Error ? error.message : String(error), true);
  }
}

function say(text: string, isError = false): void {
  note.textContent = text;
  note.className = isError ? 'error' : '';
}

await start();
