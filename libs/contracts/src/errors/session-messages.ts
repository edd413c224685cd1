import type { ErrorText } from './error-catalogue.js';

/** Sentences about the ways into a session. */
export const SESSION_MESSAGES = {
  usedLink: {
    en: 'This link was used before, or is not of this start. Log in with the email and password of dev-credentials.json.',
    fr: 'Ce lien a déjà servi, ou ne vient pas de ce démarrage. Connectez-vous avec l’adresse et le mot de passe de dev-credentials.json.',
  },
  badMode: {
    en: 'X-Watchword-Mode must be "live" or "test".',
    fr: 'X-Watchword-Mode doit être « live » ou « test ».',
  },
  badInvitation: {
    en: 'invitation_token is no open invitation of this address. Ask for a new one.',
    fr: 'invitation_token n’est pas une invitation ouverte pour cette adresse. Demandez-en une nouvelle.',
  },
  unknownUserCode: {
    en: 'No device log-in waits for this code. It expires after ten minutes: start again with `watchword login`.',
    fr: 'Aucune connexion n’attend ce code. Il expire après dix minutes : recommencez avec `watchword login`.',
  },
} satisfies Record<string, ErrorText>;
