import type { ErrorText } from './error-catalogue.js';

const text = (en: string, fr: string): ErrorText => ({ en, fr });

/** Messages of a 401, one for each mistake in the credentials. */
export const KEY_MISTAKES = {
  noHeader: text(
    'Send an API key: Authorization: Bearer <key>.',
    'Envoyez une clé d’API : Authorization: Bearer <clé>.',
  ),
  otherHeader: (header: string) =>
    text(
      `The API key is in ${header}. Send it as Authorization: Bearer <key>.`,
      `La clé d’API est dans ${header}. Envoyez-la ainsi : Authorization: Bearer <clé>.`,
    ),
  noBearer: text(
    'Write "Bearer " before the API key in Authorization.',
    'Écrivez « Bearer » devant la clé d’API dans Authorization.',
  ),
  otherScheme: text(
    'Authorization must have the scheme Bearer: Bearer <key>.',
    'Authorization doit avoir le schéma Bearer : Bearer <clé>.',
  ),
  noKey: text(
    'Authorization has no API key after "Bearer".',
    'Authorization n’a pas de clé d’API après « Bearer ».',
  ),
  webhookSecret: text(
    "The token is a webhook's secret. Send an API key: svc_live_... or svc_test_....",
    'Le jeton est le secret d’un webhook. Envoyez une clé d’API : svc_live_... ou svc_test_....',
  ),
  otherToken: text(
    "The token is no API key, but of another kind, for example an operator's. Keys begin with svc_live_ or svc_test_.",
    'Le jeton n’est pas une clé d’API, mais d’un autre type, par exemple d’opérateur. Les clés commencent par svc_live_ ou svc_test_.',
  ),
  length: (given: number, expected: number) =>
    text(
      `An API key has ${expected} characters; this one has ${given}.`,
      `Une clé d’API a ${expected} caractères ; celle-ci en a ${given}.`,
    ),
  alphabet: text(
    'After its prefix an API key has letters and digits only.',
    'Après son préfixe, une clé d’API n’a que des lettres et des chiffres.',
  ),
  unknown: text('The API key is unknown or revoked.', 'La clé d’API est inconnue ou révoquée.'),
};
