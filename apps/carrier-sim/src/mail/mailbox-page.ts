import type { FastifyInstance } from 'fastify';
import { scriptedPage } from '../handset/scripted-page.js';

/** The mailbox, live: emails on the left, one as its reader sees it on the right. */
const STYLE = `
body { margin: 0; display: grid; grid-template-columns: minmax(16rem, 24rem) 1fr; height: calc(100vh - 4px); }
nav { border-right: 1px solid var(--line); overflow: auto; padding: 1rem; }
nav p { margin: .25rem 0 1rem; color: var(--dimmed); font-size: .9rem; }
form { display: flex; gap: .5rem; margin-bottom: 1rem; }
input { flex: 1; min-width: 0; }
ol { list-style: none; margin: 0; padding: 0; }
ol button { width: 100%; text-align: left; background: none; border: 0; border-radius: 0; font-weight: 400;
  border-bottom: 1px solid var(--line); padding: .5rem .3rem; overflow-wrap: anywhere; }
ol button[aria-current] { background: var(--filled); }
small { display: block; color: var(--dimmed); }
main { display: flex; flex-direction: column; min-width: 0; padding: 1rem; overflow: auto; }
h2 { margin: 0 0 .25rem; font-size: 1.15rem; overflow-wrap: anywhere; }
#tabs { display: flex; gap: .5rem; margin: .75rem 0; flex-wrap: wrap; }
#tabs button { font-weight: 400; }
#tabs button[aria-pressed="true"] { font-weight: 700; border-color: var(--accent); }
#view { display: contents; }
iframe { flex: 1; width: 100%; min-height: 20rem; border: 1px solid var(--line); background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
@media (max-width: 40rem) {
  body { grid-template-columns: 1fr; height: auto; }
  nav { max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
}
`;

const SCRIPT = `
const list = document.querySelector('#list');
const status = document.querySelector('#status');
const wanted = document.querySelector('#address');
const title = document.querySelector('#subject');
const about = document.querySelector('#about');
const tabs = document.querySelector('#tabs');
const view = document.querySelector('#view');
const SHOWN_MAX = 300;
const seen = new Set();
let since = 0;
let current = null;
wanted.value = given.get('to') ?? '';

function element(name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}

function preformatted(text) {
  view.replaceChildren(element('pre', text));
}

function showHtml(email) {
  const frame = element('iframe');
  frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
  frame.setAttribute('referrerpolicy', 'no-referrer');
  frame.title = say('The email as its reader sees it');
  frame.src = '/emails/' + email.id + '/html';
  view.replaceChildren(frame);
}

function showAttachments(email) {
  const made = element('ol');
  for (const { number, filename, content_type, size } of email.attachments) {
    const link = element('a', filename + ' (' + content_type + ', ' + size + say(' bytes)'));
    link.href = '/emails/' + email.id + '/attachments/' + number;
    const item = element('li');
    item.append(link);
    made.append(item);
  }
  view.replaceChildren(made);
}

async function showRaw(email) {
  const response = await fetch('/emails/' + email.id + '/raw');
  preformatted(await response.text());
}

async function open(id) {
  const response = await fetch('/_simulator/emails/' + id);
  if (!response.ok) return;
  const email = await response.json();
  current = id;
  for (const button of list.querySelectorAll('button')) {
    button.toggleAttribute('aria-current', button.dataset.id === id);
  }
  title.textContent = email.subject || say('(no subject)');
  about.textContent = say('Envelope:') + ' ' + (email.from || '<>') + ' \\u2192 ' + email.to + ', ' +
    new Date(email.received_at).toLocaleString();
  if (app) about.append(' ', messagesLink(email.to));
  const views = [
    ['HTML', () => showHtml(email), email.has_html],
    [say('Text'), () => preformatted(email.text), true],
    [say('Headers'), () => preformatted(email.headers.join('\\n')), true],
    [say('Raw'), () => showRaw(email), true],
    [say('Attachments') + ' (' + email.attachments.length + ')', () => showAttachments(email),
      email.attachments.length > 0],
  ].filter(([, , isThere]) => isThere);
  const buttons = views.map(([name, show]) => {
    const button = element('button', name);
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      show();
    });
    return button;
  });
  tabs.replaceChildren(...buttons);
  buttons[0].click();
}

function add(email) {
  if (seen.has(email.id)) return;
  seen.add(email.id);
  const button = element('button', email.subject || say('(no subject)'));
  button.dataset.id = email.id;
  button.append(element('small', email.to + ' \\u00b7 ' +
    new Date(email.received_at).toLocaleTimeString()));
  button.addEventListener('click', () => open(email.id));
  const item = element('li');
  item.append(button);
  list.prepend(item);
  while (list.children.length > SHOWN_MAX) list.lastChild.remove();
  if (current === null) open(email.id);
}

async function look() {
  const query = new URLSearchParams({ since: String(since) });
  const address = wanted.value.trim();
  if (address) query.set('to', address);
  const response = await fetch('/emails/list?' + query);
  if (!response.ok) throw new Error('HTTP ' + response.status);
  const emails = await response.json();
  for (const email of emails.slice(-SHOWN_MAX)) add(email);
  const newest = emails.at(-1);
  if (newest) since = Date.parse(newest.received_at);
  status.textContent = say(seen.size === 0 ? 'No email yet.' : 'Live.');
}

async function live() {
  for (;;) {
    await look().catch(() => { status.textContent = say('The simulator does not answer.'); });
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  seen.clear();
  since = 0;
  current = null;
  list.replaceChildren();
});
document.querySelector('#other').href += otherHash();
live();
`;

const BODY = `
<nav>
<h1>Mailbox</h1>
<p>Emails that the relay of the simulator took. <span id="status">Loading.</span>
<a id="other" href="/">Handset</a></p>
<form>
<input id="address" aria-label="Address" placeholder="All addresses, or one" autocomplete="off">
<button>Show</button>
</form>
<ol id="list"></ol>
</nav>
<main>
<h2 id="subject"></h2>
<small id="about"></small>
<div id="tabs"></div>
<div id="view"></div>
</main>`;

const FRENCH = {
  'Emails that the relay of the simulator took.': 'Les e-mails reçus par le relais du simulateur.',
  'All addresses, or one': 'Toutes les adresses, ou une seule',
  Address: 'Adresse',
  'No email yet.': 'Aucun e-mail pour l’instant.',
  '(no subject)': '(sans objet)',
  'The email as its reader sees it': 'L’e-mail tel que son destinataire le voit',
  'Envelope:': 'Enveloppe :',
  Text: 'Texte',
  Headers: 'En-têtes',
  Raw: 'Source',
  Attachments: 'Pièces jointes',
  ' bytes)': ' octets)',
};

export function mailboxPage(server: FastifyInstance): void {
  const page = { title: 'Mailbox', style: STYLE, script: SCRIPT, body: BODY, french: FRENCH };
  scriptedPage(server, '/emails', page, ["frame-src 'self'"]);
}
