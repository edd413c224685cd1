import { type Language, routes } from '@watchword/contracts';
import { scriptedPagePolicy, sourceOf } from '../../edge/server/security-headers.policy.js';

/**
 * The pages behind the links in account emails. The token is after the `#` of the address, which
 * browsers send to no server, so it is in no log and no `Referer`. A script reads it, so a program
 * that only follows links uses no token up.
 */
export type AccountPage = 'reset' | 'confirm';

interface Words {
  readonly title: string;
  readonly ask: string;
  readonly button: string;
  readonly done: string;
  readonly stale: string;
}

const PLACES: Record<AccountPage, { path: string; field: string }> = {
  reset: { path: routes.redeemPasswordReset.path, field: 'reset_token' },
  confirm: { path: routes.confirmEmail.path, field: 'confirmation_token' },
};

const WORDS: Record<AccountPage, Record<Language, Words>> = {
  reset: {
    en: {
      title: 'Set a new password',
      ask: 'Choose a new password of at least 12 characters.',
      button: 'Set password',
      done: 'Your new password is set. You are logged out everywhere; log in with it now.',
      stale: 'This link was used or is too old. Request a new one.',
    },
    fr: {
      title: 'Choisir un nouveau mot de passe',
      ask: 'Choisissez un nouveau mot de passe d’au moins 12 caractères.',
      button: 'Enregistrer le mot de passe',
      done: 'Votre mot de passe est changé. Vous êtes déconnecté partout ; connectez-vous avec le nouveau.',
      stale: 'Ce lien a déjà servi ou est trop ancien. Demandez-en un nouveau.',
    },
  },
  confirm: {
    en: {
      title: 'Confirm your email address',
      ask: 'Confirm that this email address is yours.',
      button: 'Confirm',
      done: 'Thank you. Your email address is confirmed.',
      stale:
        'This link was used or is too old. If you confirmed before, there is nothing left to do. ' +
        'Otherwise log in and request a new email.',
    },
    fr: {
      title: 'Confirmer votre adresse e-mail',
      ask: 'Confirmez que cette adresse e-mail est la vôtre.',
      button: 'Confirmer',
      done: 'Merci. Votre adresse e-mail est confirmée.',
      stale:
        'Ce lien a déjà servi ou est trop ancien. Si vous avez déjà confirmé, il n’y a rien à faire. ' +
        'Sinon, connectez-vous et demandez un nouvel e-mail.',
    },
  },
};

const COMMON: Record<
  Language,
  {
    password: string;
    /** The choice of an owner with whose address another person signed up. */
    revoke: string;
    revoked: string;
    weak: string;
    partial: string;
    away: string;
    script: string;
  }
> = {
  en: {
    password: 'New password',
    revoke:
      'I did not create this account. Revoke the API keys of its workspace, and log out all of its members. ' +
      'Programs that use the keys stop working.',
    revoked:
      'Your new password is set, and the API keys are revoked. Log in and check the members and the webhooks of ' +
      'the workspace.',
    weak: 'Choose a longer or less usual password, of at least 12 characters.',
    partial: 'This link is incomplete. Copy the whole address from the email.',
    away: 'The server does not answer. Try again in a moment.',
    script: 'This page needs JavaScript.',
  },
  fr: {
    password: 'Nouveau mot de passe',
    revoke:
      'Je n’ai pas créé ce compte. Révoquer les clés API de son espace de travail et déconnecter tous ses membres. ' +
      'Les programmes qui utilisent ces clés ne fonctionneront plus.',
    revoked:
      'Votre mot de passe est changé et les clés API sont révoquées. Connectez-vous et vérifiez les membres et les ' +
      'webhooks de l’espace de travail.',
    weak: 'Choisissez un mot de passe plus long ou moins courant, d’au moins 12 caractères.',
    partial: 'Ce lien est incomplet. Copiez toute l’adresse depuis l’e-mail.',
    away: 'Le serveur ne répond pas. Réessayez dans un instant.',
    script: 'Cette page a besoin de JavaScript.',
  },
};

/** Removes the token from the address bar first. A failed fetch leaves the form as it is. */
const SCRIPT = `
const form = document.querySelector('form');
const note = document.querySelector('[role=status]');
const { path, field, weak, partial, done, revoked, stale, away } = form.dataset;
const token = new URLSearchParams(location.hash.slice(1)).get('token') || '';
history.replaceState(null, '', location.pathname);
const end = (text) => { form.hidden = true; note.textContent = text; };
if (token === '') end(partial); else form.hidden = false;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const [button, input, box] = ['button', '[type=password]', '[type=checkbox]'].map((one) => form.querySelector(one));
  button.disabled = true;
  note.textContent = '';
  const body = { [field]: token };
  if (input) body.new_password = input.value;
  if (box?.checked) body.revoke_keys = true;
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': document.documentElement.lang },
      body: JSON.stringify(body),
    });
    if (answer.status === 204) return end(box?.checked ? revoked : done);
    const { error } = await answer.json();
    if (error.field === field) return end(stale);
    note.textContent = error.field === 'new_password' ? weak : error.message;
  } catch {
    note.textContent = away;
  } finally {
    button.disabled = false;
  }
});
`;

const STYLE = `
:root { color-scheme: light dark }
body { margin: 4rem auto; max-width: 32rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
input, button { box-sizing: border-box; font: inherit; padding: .6rem 1rem }
[type=password] { display: block; margin: .3rem 0 1rem; width: 100% }
[type=checkbox] { margin: 0 .5rem 1rem 0 }
`;

export const ACCOUNT_PAGE_POLICY = scriptedPagePolicy({
  script: sourceOf(SCRIPT),
  style: "'unsafe-inline'",
});

export function accountPage(page: AccountPage, language: Language): string {
  const { title, ask, button, done, stale } = WORDS[page][language];
  const { password, revoke, revoked, weak, partial, away, script } = COMMON[language];
  const data = Object.entries({ ...PLACES[page], weak, partial, done, revoked, stale, away })
    .map(([name, value]) => ` data-${name}="${value}"`)
    .join('');
  const input =
    page === 'reset'
      ? `<label>${password}<input type="password" autocomplete="new-password" required></label>
<label><input type="checkbox">${revoke}</label>`
      : '';
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>${STYLE}</style></head>
<body><h1>${title}</h1>
<form hidden${data}><p>${ask}</p>${input}<button>${button}</button></form>
<p role="status"></p><noscript><p>${script}</p></noscript>
<script>${SCRIPT}</script></body></html>
`;
}
