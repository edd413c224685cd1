import { type Route, routes } from '@watchword/contracts';
import { escapeHtml } from '@watchword/email';

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

/** Parts of the reference to begin with. */
const PARTS = [
  [routes.sendOtp, 'Send a one-time password, and verify it'],
  [routes.sendMessage, 'Send SMS: one, a batch, or at a later time'],
  [routes.sendEmail, 'Send emails from your domain'],
  [routes.createWebhook, 'Receive signed webhooks'],
  [routes.signUp, 'Sign up, and log in to the dashboard'],
  [routes.createWorkspace, 'Run it for others: workspaces, keys and prices'],
] as const;

export function homeFor({ handset }: HomeLinks) {
  return {
    name: 'Watchword',
    description: 'One-time passwords and transactional messages over several carriers.',
    documentation: '/docs',
    openapi: '/openapi.json',
    console: routes.getOperatorPage.path,
    health: '/health',
    ...(handset === undefined ? {} : { handset }),
  };
}

export function renderHome({ handset }: HomeLinks): string {
  const links: Link[] = [
    { href: '/docs/', title: 'Documentation', text: 'A first code in a minute, guides, errors.' },
    { href: '/docs/api', title: 'API reference', text: 'Every operation, with samples.' },
    { href: '/openapi.json', title: 'OpenAPI document', text: 'The same for programs.' },
    {
      href: routes.getOperatorPage.path,
      title: 'Console',
      text: 'Carriers, messages, workspaces and the audit, for operators.',
    },
  ];
  if (handset !== undefined) {
    const text = 'What the simulated carriers delivered, by number.';
    links.push({ href: handset, title: 'Handset', text });
  }
  const terms = links.map(
    ({ href, title, text }) =>
      `<dt><a href="${escapeHtml(href)}">${title}</a></dt><dd>${text}</dd>`,
  );
  const parts = PARTS.map(([route, text]) => `<li><a href="${placeOf(route)}">${text}</a></li>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Watchword</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><h1>Watchword</h1>
<p>This server sends one-time passwords and transactional messages over several carriers. Programs call it
under <code>/v1</code> with an API key.</p>
<dl>${terms.join('\n')}</dl>
<h2>Where to begin</h2><ul>${parts.join('\n')}</ul>
</body></html>
`;
}

/** Its place in the reference. */
function placeOf({ method, path }: Route): string {
  const page = path.startsWith('/v1')
    ? 'api'
    : `api/${path.startsWith('/auth') ? 'dashboard' : 'operator'}`;
  return `/docs/${page}#${method.toLowerCase()}-${path}`;
}
