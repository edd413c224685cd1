import type { EmailContent, Language, PlatformEmailPurpose } from '@watchword/contracts';
import { escapeHtml } from '@watchword/email';

/** The text of an email to a user. It shows nothing that a stranger chose, except a plain name. */
export interface AccountEmail {
  readonly purpose: PlatformEmailPurpose;
  readonly language: Language;
  /** Display name of the sender, for example `Acme`. */
  readonly brand: string;
  /** Name in the user's spelling. */
  readonly name: string;
  /** Null in a notice. */
  readonly link: string | null;
}

interface Words {
  readonly subject: (brand: string) => string;
  readonly opening: (brand: string) => string;
  /** Of the link. */
  readonly button: string;
  readonly life: string;
  readonly ignore: string;
}

const WORDS: Record<PlatformEmailPurpose, Record<Language, Words>> = {
  saved_card_deleted: {
    en: {
      subject: (brand) => `Automatic top-up is off at ${brand}`,
      opening: () =>
        'The payment method for the automatic top-up of one of your workspaces was deleted, because ' +
        'the person who saved it is no longer an owner of the workspace.',
      button: '',
      life: 'Automatic top-up is off.',
      ignore: 'An owner can save another payment method and turn it on again.',
    },
    fr: {
      subject: (brand) => `La recharge automatique est désactivée chez ${brand}`,
      opening: () =>
        'Le moyen de paiement de la recharge automatique d’un de vos espaces de travail a été supprimé, ' +
        'car la personne qui l’avait enregistré n’en est plus propriétaire.',
      button: '',
      life: 'La recharge automatique est désactivée.',
      ignore: 'Un propriétaire peut enregistrer un autre moyen de paiement et la réactiver.',
    },
  },
  password_reset: {
    en: {
      subject: (brand) => `Set a new password for ${brand}`,
      opening: (brand) => `You asked for a new password for your ${brand} account.`,
      button: 'Set a new password',
      life: 'The link works once, within one hour.',
      ignore: 'If you did not ask for this, ignore this email. Your password stays as it is.',
    },
    fr: {
      subject: (brand) => `Choisissez un nouveau mot de passe pour ${brand}`,
      opening: (brand) => `Vous avez demandé un nouveau mot de passe pour votre compte ${brand}.`,
      button: 'Choisir un nouveau mot de passe',
      life: 'Le lien fonctionne une seule fois, pendant une heure.',
      ignore: 'Si vous n’avez rien demandé, ignorez cet e-mail. Votre mot de passe reste le même.',
    },
  },
  email_confirmation: {
    en: {
      subject: (brand) => `Confirm your email address for ${brand}`,
      opening: (brand) => `Welcome to ${brand}. Please confirm that this email address is yours.`,
      button: 'Confirm my email address',
      life: 'The link works once, within seven days.',
      ignore: 'If you did not sign up, ignore this email.',
    },
    fr: {
      subject: (brand) => `Confirmez votre adresse e-mail pour ${brand}`,
      opening: (brand) =>
        `Bienvenue chez ${brand}. Merci de confirmer que cette adresse e-mail est la vôtre.`,
      button: 'Confirmer mon adresse e-mail',
      life: 'Le lien fonctionne une seule fois, pendant sept jours.',
      ignore: 'Si vous ne vous êtes pas inscrit, ignorez cet e-mail.',
    },
  },
};

const GREETING: Record<Language, (name: string | null) => string> = {
  en: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
  fr: (name) => (name === null ? 'Bonjour,' : `Bonjour ${name},`),
};
const OPEN: Record<Language, string> = {
  en: 'Open this link in your browser:',
  fr: 'Ouvrez ce lien dans votre navigateur :',
};
const COPY: Record<Language, string> = {
  en: 'If the button does not work, copy this address into your browser:',
  fr: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
};

/** Letters with single blanks, hyphens and apostrophes between them. */
const PLAIN_NAME = /^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+){0,3}$/u;
const NAME_LENGTH_MAX = 40;

/**
 * Returns null for anything but a plain name. A stranger can sign up with another person's address,
 * so a name must not carry a message or a link.
 */
export function greetingName(name: string): string | null {
  const trimmed = name.trim();
  return trimmed.length <= NAME_LENGTH_MAX && PLAIN_NAME.test(trimmed) ? trimmed : null;
}

export function renderAccountEmail(email: AccountEmail): {
  subject: string;
  content: EmailContent;
} {
  const { purpose, language, brand, name, link } = email;
  const words = WORDS[purpose][language];
  const parts = {
    greeting: GREETING[language](greetingName(name)),
    opening: words.opening(brand),
    copy: COPY[language],
  };
  const text = [
    parts.greeting,
    parts.opening,
    ...(link === null ? [] : [`${OPEN[language]}\n${link}`]),
    words.life,
    words.ignore,
  ].join('\n\n');
  const html = htmlOf({ ...words, ...parts, language, link, subject: words.subject(brand) });
  return { subject: words.subject(brand), content: { html, text: `${text}\n`, attachments: [] } };
}

interface Page {
  language: Language;
  subject: string;
  greeting: string;
  opening: string;
  button: string;
  copy: string;
  link: string | null;
  life: string;
  ignore: string;
}

/** Styles are in the elements, because mail programs drop style sheets. */
function htmlOf(page: Page): string {
  const paragraph = (inner: string, style = '') =>
    `<p style="margin:0 0 16px${style}">${inner}</p>`;
  const button = (link: string) =>
    `<a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:6px;` +
    `background:#0b5cad;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(page.button)}</a>`;
  const small = ';font-size:14px;color:#4a5560';
  const body = [
    paragraph(escapeHtml(page.greeting)),
    paragraph(escapeHtml(page.opening)),
    ...(page.link === null ? [] : [paragraph(button(page.link))]),
    paragraph(`${escapeHtml(page.life)} ${escapeHtml(page.ignore)}`),
    ...(page.link === null ? [] : [paragraph(copyOf(page.copy, page.link), small)]),
  ];
  return (
    `<!doctype html><html lang="${page.language}"><head><meta charset="utf-8">` +
    `<title>${escapeHtml(page.subject)}</title></head>` +
    `<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b1f24">` +
    `<div style="max-width:560px;margin:0 auto">${body.join('')}</div></body></html>`
  );
}

function copyOf(copy: string, link: string): string {
  return `${escapeHtml(copy)}<br><span style="word-break:break-all">${escapeHtml(link)}</span>`;
}
