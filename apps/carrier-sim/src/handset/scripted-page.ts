import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

interface Page {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  readonly body: string;
  /** Each English text of body and script in French. */
  readonly french: Readonly<Record<string, string>>;
}

/** The colours and shapes of the pages at /app. */
const COMMON_STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --line: light-dark(#dee2e6, #424242); --accent: #3b5bdb; --link: light-dark(#364fc7, #a5b8ff);
  --dimmed: light-dark(#565e66, #adb5bd); --filled: light-dark(#f1f3f5, #2e2e2e);
  color: light-dark(#000, #c9c9c9); background: light-dark(#fff, #242424); }
html { border-top: 4px solid var(--accent); }
a { color: var(--link); }
h1 { font-size: 1.6rem; font-weight: 650; margin: 0; }
input, button { font: inherit; padding: .4rem .75rem; border: 1px solid var(--line); border-radius: .5rem;
  color: inherit; background: light-dark(#fff, #2e2e2e); }
button { cursor: pointer; font-weight: 600; }
form button { background: var(--accent); border-color: var(--accent); color: #fff; }
`;

const COMMON_FRENCH = {
  'The simulator does not answer.': 'Le simulateur ne répond pas.',
  'Loading.': 'Chargement.',
  'Live.': 'En direct.',
  Handset: 'Téléphone',
  Mailbox: 'Boîte de réception',
  Messages: 'Messages',
  Show: 'Afficher',
};

/**
 * What links from /app give: whom to show, in which language, and where its messages are. Then the texts of the page
 * in French, where its reader asks for it.
 */
const COMMON_SCRIPT = `
const given = new URLSearchParams(location.hash.slice(1));
const isFrench = (given.get('lang') ?? navigator.language).startsWith('fr');
const say = (text) => (isFrench && french[text]) || text;
function translate() {
  document.documentElement.lang = 'fr';
  document.title = say(document.title);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.data.trim();
    if (text) node.data = node.data.replace(text, say(text));
  }
  for (const input of document.querySelectorAll('input')) {
    input.placeholder = say(input.placeholder);
    input.ariaLabel = say(input.ariaLabel);
  }
}
if (isFrench) translate();
const app = /^https?:\\/\\/[^\\/]+$/.test(given.get('app') ?? '') ? given.get('app') : '';
function otherHash() {
  const lang = given.get('lang');
  const kept = new URLSearchParams({ ...(app && { app }), ...(lang && { lang }) });
  return kept.size > 0 ? '#' + kept : '';
}
function messagesLink(to) {
  const link = document.createElement('a');
  link.href = app + '/app#/messages?to=' + encodeURIComponent('"' + to + '"');
  link.textContent = say('Messages');
  return link;
}
`;

/** Returns a page without a build step. Its policy allows only its own style and script. */
export function scriptedPage(
  server: FastifyInstance,
  path: string,
  { title, body, french, ...own }: Page,
  furtherPolicy: readonly string[] = [],
): void {
  const style = COMMON_STYLE + own.style;
  const texts = JSON.stringify({ ...COMMON_FRENCH, ...french });
  const script = `const french = ${texts};${COMMON_SCRIPT}${own.script}`;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...furtherPolicy,
  ].join('; ');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>${body}
<script>${script}</script>
</body>
</html>
`;
  server.get(path, (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .send(html),
  );
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
