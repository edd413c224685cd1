import type { FastifyInstance } from 'fastify';
import { scriptedPage } from './scripted-page.js';

/**
 * The handset: live messages as bubbles, a conversation per number. One page without a build step.
 * Texts are inserted as text, never as markup, and the policy allows only its own script.
 */
const STYLE = `
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; }
header p { margin: .25rem 0 1rem; color: var(--dimmed); }
form { display: flex; gap: .5rem; margin-bottom: 1.5rem; }
input { flex: 1; min-width: 0; }
section { margin: 0 0 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; }
h2 { font-size: 1rem; margin: 0 0 .6rem; font-variant-numeric: tabular-nums; }
h2 a { font-size: .8rem; font-weight: 400; margin-left: .5rem; }
ol { list-style: none; margin: 0; padding: 0; }
li { margin: 0 0 .6rem; max-width: 30rem; }
.bubble { background: var(--filled); border-radius: 1rem 1rem 1rem .25rem; padding: .5rem .8rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.about { font-size: .8rem; color: var(--dimmed); margin: .1rem .4rem 0; }
#status { font-size: .85rem; }
`;

const SCRIPT = `
const conversations = document.querySelector('#conversations');
const status = document.querySelector('#status');
const wanted = document.querySelector('#number');
const sections = new Map();
const seen = new Set();
const SHOWN_MAX = 500;
let since = 0;
wanted.value = given.get('to') ?? '';

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function sectionOf(number) {
  let found = sections.get(number);
  if (!found) {
    found = { section: element('section'), list: element('ol') };
    const title = element('h2', '', number);
    if (app) title.append(messagesLink(number));
    found.section.append(title, found.list);
    sections.set(number, found);
  }
  conversations.prepend(found.section);
  return found.list;
}

function show(message) {
  if (seen.has(message.reference)) return;
  seen.add(message.reference);
  const item = element('li');
  const time = new Date(message.received_at).toLocaleTimeString();
  const parts = message.segments + (message.segments === 1 ? ' segment' : ' segments');
  const about = [message.from, message.provider, time, message.encoding, parts].join(' \\u00b7 ');
  item.append(element('div', 'bubble', message.body), element('div', 'about', about));
  const list = sectionOf(message.to);
  list.append(item);
  while (list.children.length > SHOWN_MAX) list.firstChild.remove();
}

async function look() {
  const number = wanted.value.trim();
  const query = new URLSearchParams({ since: String(since) });
  if (number) query.set('to', number);
  const response = await fetch('/_simulator/messages?' + query);
  if (!response.ok) throw new Error('HTTP ' + response.status);
  const messages = await response.json();
  for (const message of messages.slice(-SHOWN_MAX)) show(message);
  const newest = messages.at(-1);
  // Inclusive: messages of the same millisecond differ in their reference.
  if (newest) since = Date.parse(newest.received_at);
  status.textContent = say(seen.size === 0 ? 'No message yet.' : 'Live.');
}

function restart() {
  sections.clear();
  seen.clear();
  since = 0;
  conversations.replaceChildren();
}

async function live() {
  for (;;) {
    await look().catch(() => { status.textContent = say('The simulator does not answer.'); });
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  restart();
});
document.querySelector('#other').href += otherHash();
live();
`;

const BODY = `
<header>
<h1>Handset</h1>
<p>Messages that reached a phone through the carrier simulator. <span id="status">Loading.</span>
<a id="other" href="/emails">Mailbox</a></p>
</header>
<form>
<input id="number" aria-label="Phone number" placeholder="All numbers, or one: +2348031234567" autocomplete="off">
<button>Show</button>
</form>
<main id="conversations"></main>`;

const FRENCH = {
  'Messages that reached a phone through the carrier simulator.':
    'Les messages arrivés sur un téléphone par le simulateur d’opérateurs.',
  'All numbers, or one: +2348031234567': 'Tous les numéros, ou un seul : +2348031234567',
  'Phone number': 'Numéro de téléphone',
  'No message yet.': 'Aucun message pour l’instant.',
};

export function handsetPage(server: FastifyInstance): void {
  const page = { title: 'Handset', style: STYLE, script: SCRIPT, body: BODY, french: FRENCH };
  scriptedPage(server, '/', page);
}
