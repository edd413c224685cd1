import { escapeHtml } from '../../edge/server/escape-html.js';

/**
 * The first page of an installation: a summary, and links to the next steps. No script and nothing
 * external.
 */
export interface HomeLinks {
  /** Address of the carrier simulator's handset page, if it runs. */
  handset: string | undefined;
}

interface Link {
  href: string;
  title: string;
  text: string;
}

const STYLE = `
:root { color-scheme: light dark }
body { margin: 0 auto; max-width: 40rem; padding: 3rem 1rem; font: 16px/1.5 system-ui, sans-serif;
  color: light-dark(#1b1f24, #e3e8ee); background: light-dark(#fff, #12161b) }
a { color: light-dark(#0b5cad, #7cb8ff) }
dt { margin-top: 1rem; font-weight: 600 }
dd { margin: 0 }
code { font: 14px/1.45 ui-monospace, monospace }
`;

/** Guides in the repository, beside the program. */
const GUIDES = [
  ['accounts-and-dashboard', 'Sign up, create keys and look at messages'],
  ['retry-safely', 'Retry without sending twice'],
  ['receive-webhooks', 'Receive signed webhooks'],
  ['try-failures', 'Make a carrier fail and watch the refund'],
  ['operate', 'Run it for others'],
] as const;

export function homeFor({ handset }: HomeLinks) {
  return {
    name: 'Watchword',
    description: 'One-time passwords and transactional messages over several carriers.',
    documentation: '/docs',
    openapi: '/openapi.json',
    health: '/health',
    ...(handset === undefined ? {} : { handset }),
  };
}

export function renderHome({ handset }: HomeLinks): string {
  const links: Link[] = [
    { href: '/docs', title: 'API reference', text: 'Every operation, with examples.' },
    { href: '/openapi.json', title: 'OpenAPI document', text: 'The same for programs.' },
  ];
  if (handset !== undefined) {
    const text = 'What the simulated carriers delivered, by number.';
    links.push({ href: handset, title: 'Handset', text });
  }
  const terms = links.map(
    ({ href, title, text }) =>
      `<dt><a href="${escapeHtml(href)}">${title}</a></dt><dd>${text}</dd>`,
  );
  const guides = GUIDES.map(
    ([name, text]) => `<li>${text}: <code>docs/guides/${name}.md</code></li>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Watchword</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><h1>Watchword</h1>
<p>This server sends one-time passwords and transactional messages over several carriers. Programs call it
under <code>/v1</code> with an API key.</p>
<dl>${terms.join('\n')}</dl>
<h2>Guides</h2><ul>${guides.join('\n')}</ul>
</body></html>
`;
}
