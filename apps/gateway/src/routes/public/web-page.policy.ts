import type { Language } from '@watchword/contracts';
import { sourceOf } from '../../edge/server/security-headers.policy.js';

/** Nothing from elsewhere. The nonce is for the styles that the pages' components insert. */
export function webPagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem;
  color: light-dark(#1b1f24, #e3e8ee); background: light-dark(#fff, #12161b) }
h1 { font-size: 1.4rem } code { overflow-wrap: anywhere }
`;

export const WAITING_PAGE_POLICY = `default-src 'none'; style-src ${sourceOf(STYLE)}; base-uri 'none'; frame-ancestors 'none'`;

interface Texts {
  title: string;
  installing: string;
  building: string;
  failed: string;
  none: string;
  meanwhile: string;
}

const TEXTS: Readonly<Record<'en' | 'fr', Texts>> = {
  en: {
    title: 'The pages are being built',
    installing: 'Step 1 of 2: their packages are being installed.',
    building: 'Step 2 of 2: they are being built.',
    failed: 'The build failed:',
    none: 'They are not built yet. Build them with: node tools/build-web.mjs',
    meanwhile: 'The API works already. This page refreshes itself.',
  },
  fr: {
    title: 'Les pages sont en construction',
    installing: 'Étape 1 sur 2 : installation de leurs paquets.',
    building: 'Étape 2 sur 2 : construction.',
    failed: 'La construction a échoué :',
    none: 'Elles ne sont pas encore construites. Construisez-les avec : node tools/build-web.mjs',
    meanwhile: 'L’API fonctionne déjà. Cette page s’actualise d’elle-même.',
  },
};

/** Says how far the build is. `state` is what tools/build-web.mjs wrote last, or empty. */
export function renderWaitingPage(state: string, language: Language): string {
  const own = language === 'fr' ? 'fr' : 'en';
  const texts = TEXTS[own];
  return `<!doctype html>
<html lang="${own}"><head><meta charset="utf-8"><title>Watchword</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="3">
<link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>${texts.title}</h1><p>${sentenceOf(state, texts)}</p><p>${texts.meanwhile}</p></main></body></html>
`;
}

function sentenceOf(state: string, texts: Texts): string {
  if (state === 'installing') return texts.installing;
  if (state === 'building') return texts.building;
  if (!state.startsWith('failed: ')) return texts.none;
  return `${texts.failed} <code>${escaped(state.slice('failed: '.length))}</code>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
