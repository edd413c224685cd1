import { escapeHtml } from '@watchword/email';

const PAGE = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">` +
  `<title>${title}</title><style>body{font:1rem/1.5 system-ui;max-width:32rem;margin:4rem auto;` +
  `padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style></head><body>${body}</body></html>`;

export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

/** Returns a page that asks first, because mail programs open links without a click. */
export function askPage(address: string): string {
  return PAGE(
    'Unsubscribe',
    `<h1>Unsubscribe</h1><p>Stop marketing email to <strong>${escapeHtml(address)}</strong>?</p>` +
      `<form method="post"><button name="List-Unsubscribe" value="One-Click">Unsubscribe</button></form>`,
  );
}

export function donePage(address: string): string {
  return PAGE(
    'Unsubscribed',
    `<h1>Unsubscribed</h1><p>${escapeHtml(address)} gets no more marketing email from this sender.</p>`,
  );
}

export const UNKNOWN_LINK_PAGE = PAGE(
  'Unknown link',
  '<h1>Unknown link</h1><p>This link is incomplete or was changed.</p>',
);
