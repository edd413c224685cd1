import type { EmailContent, Language, PlatformEmailPurpose } from '@watchword/contracts';
import { escapeHtml } from '@watchword/email';

/** The text of an email to a user. It shows nothing that the person who signed up chose, except a plain name. */
export interface AccountEmail {
  readonly purpose: PlatformEmailPurpose;
  readonly language: Language;
  /** Display name of the sender, for example `Acme`. */
  readonly brand: string;
  /** Name in the user's spelling. */
  readonly name: string;
  /** Address of the link. A notice has none. */
  readonly url: string;
}

interface Words {
  readonly subject: (brand: string) => string;
  readonly opening: (brand: string) => string;
  readonly closing: readonly string[];
  /** Absent in a notice. */
  readonly link?: { readonly button: string };
}

const WORDS: Record<PlatformEmailPurpose, Record<Language, Words>> = {
  saved_card_deleted: {
    en: {
      subject: (brand) => `Automatic top-up is off at ${brand}`,
      opening: () =>
        'The payment method for the automatic top-up of one of your workspaces was deleted, because ' +
        'the person who saved it is no longer an owner of the workspace.',
      closing: [
        'Automatic top-up is off.',
        'An owner can save another payment method and turn it on again.',
      ],
    },
    fr: {
      subject: (brand) => `La recharge automatique est désactivée chez ${brand}`,
      opening: () =>
        'Le moyen de paiement de la recharge automatique d’un de vos espaces de travail a été supprimé, ' +
        'car la personne qui l’avait enregistré n’en est plus propriétaire.',
      closing: [
        'La recharge automatique est désactivée.',
        'Un propriétaire peut enregistrer un autre moyen de paiement et la réactiver.',
      ],
    },
  },
  password_reset: {
    en: {
      subject: (brand) => `Set a new password for ${brand}`,
      opening: (brand) => `You asked for a new password for your ${brand} account.`,
      link: { button: 'Set a new password' },
      closing: [
        'The link works once, within one hour.',
        'If you did not ask for this, ignore this email. Your password stays as it is.',
      ],
    },
    fr: {
      subject: (brand) => `Choisissez un nouveau mot de passe pour ${brand}`,
      opening: (brand) => `Vous avez demandé un nouveau mot de passe pour votre compte ${brand}.`,
      link: { button: 'Choisir un nouveau mot de passe' },
      closing: [
        'Le lien fonctionne une seule fois, pendant une heure.',
        'Si vous n’avez rien demandé, ignorez cet e-mail. Votre mot de passe reste le même.',
      ],
    },
  },
  email_confirmation: {
    en: {
      subject: (brand) => `Confirm your email address for ${brand}`,
      opening: (brand) => `Welcome to ${brand}. Please confirm that this email address is yours.`,
      link: { button: 'Confirm my email address' },
      closing: [
        'The link works once, within seven days.',
        'If you did not sign up, ignore this email.',
      ],
    },
    fr: {
      subject: (brand) => `Confirmez votre adresse e-mail pour ${brand}`,
      opening: (brand) =>
        `Bienvenue chez ${brand}. Merci de confirmer que cette adresse e-mail est la vôtre.`,
      link: { button: 'Confirmer mon adresse e-mail' },
      closing: [
        'Le lien fonctionne une seule fois, pendant sept jours.',
        'Si vous ne vous êtes pas inscrit, ignorez cet e-mail.',
      ],
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
 * Returns null for anything but a plain name. Anyone can sign up with another person's address,
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
  const { purpose, language, brand, name, url } = email;
  const { subject, opening, closing, link } = WORDS[purpose][language];
  const page: Page = {
    language,
    subject: subject(brand),
    openings: [GREETING[language](greetingName(name)), opening(brand)],
    closing,
    links: link ? [{ ...link, url, open: OPEN[language], copy: COPY[language] }] : [],
  };
  const html = htmlOf(page);
  return { subject: page.subject, content: { html, text: textOf(page), attachments: [] } };
}

interface Link {
  readonly button: string;
  readonly url: string;
  /** Precedes the address in plain text, and below the button. */
  readonly open: string;
  readonly copy: string;
}

interface Page {
  readonly language: Language;
  readonly subject: string;
  readonly openings: readonly string[];
  /** At most one. */
  readonly links: readonly Link[];
  readonly closing: readonly string[];
}

function textOf({ openings, links, closing }: Page): string {
  const addresses = links.map(({ open, url }) => `${open}\n${url}`);
  return `${[...openings, ...addresses, ...closing].join('\n\n')}\n`;
}

/** Styles are in the elements, because mail programs drop style sheets. */
function htmlOf({ language, subject, openings, links, closing }: Page): string {
  const paragraph = (inner: string, style = '') =>
    `<p style="margin:0 0 16px${style}">${inner}</p>`;
  const small = ';font-size:14px;color:#4a5560';
  const body = [
    ...openings.map((text) => paragraph(escapeHtml(text))),
    ...links.map((link) => paragraph(buttonOf(link))),
    paragraph(escapeHtml(closing.join(' '))),
    ...links.map((link) => paragraph(copyOf(link), small)),
  ];
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    `<title>${escapeHtml(subject)}</title></head>` +
    `<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b1f24">` +
    `<div style="max-width:560px;margin:0 auto">${body.join('')}</div></body></html>`
  );
}

function buttonOf({ url, button }: Link): string {
  return (
    `<a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;` +
    `background:#0b5cad;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button)}</a>`
  );
}

function copyOf({ copy, url }: Link): string {
  return `${escapeHtml(copy)}<br><span style="word-break:break-all">${escapeHtml(url)}</span>`;
}
