import type { Language } from '@watchword/contracts';
import { escapeHtml } from '@watchword/email';

interface Words {
  readonly ask: { readonly title: string; readonly before: string; readonly after: string };
  readonly done: { readonly title: string; readonly after: string };
  readonly unknown: { readonly title: string; readonly text: string };
}

const WORDS: Record<Language, Words> = {
  en: {
    ask: { title: 'Unsubscribe', before: 'Stop marketing email to ', after: '?' },
    done: { title: 'Unsubscribed', after: ' gets no more marketing email from this sender.' },
    unknown: { title: 'Unknown link', text: 'This link is incomplete or was changed.' },
  },
  fr: {
    ask: {
      title: 'Se désabonner',
      before: 'Ne plus envoyer d’e-mails publicitaires à ',
      after: '\u00a0?',
    },
    done: {
      title: 'Désabonnement enregistré',
      after: ' ne recevra plus d’e-mails publicitaires de cet expéditeur.',
    },
    unknown: { title: 'Lien inconnu', text: 'Ce lien est incomplet ou a été modifié.' },
  },
};

function page(language: Language, title: string, body: string): string {
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">` +
    `<title>${title}</title><style>body{font:1rem/1.5 system-ui;max-width:32rem;margin:4rem auto;` +
    `padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style></head>` +
    `<body><h1>${title}</h1>${body}</body></html>`
  );
}

export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

/** Returns a page that asks first, because mail programs open links without a click. */
export function askPage(address: string, language: Language): string {
  const { title, before, after } = WORDS[language].ask;
  return page(
    language,
    title,
    `<p>${before}<strong>${escapeHtml(address)}</strong>${after}</p>` +
      `<form method="post"><button name="List-Unsubscribe" value="One-Click">${title}</button></form>`,
  );
}

export function donePage(address: string, language: Language): string {
  const { title, after } = WORDS[language].done;
  return page(language, title, `<p>${escapeHtml(address)}${after}</p>`);
}

export function unknownLinkPage(language: Language): string {
  const { title, text } = WORDS[language].unknown;
  return page(language, title, `<p>${text}</p>`);
}
