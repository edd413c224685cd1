/**
 * The one error catalogue: every `error.type` that an answer can carry, its status, its default texts and
 * what to do about it. `type` is stable; texts may change. `retriable` tells a client whether the same
 * request can succeed later. The reference and the OpenAPI document are generated from it.
 */
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One sentence in every language of the API. */
export type ErrorText = Readonly<Record<Language, string>>;

export interface CatalogueEntry extends ErrorText {
  status: number;
  retriable: boolean;
  /** What the caller does next; shown in the reference of errors. */
  next: string;
}

const entry = (status: number, en: string, fr: string, next: string): CatalogueEntry => ({
  status,
  en,
  fr,
  next,
  retriable: status === 429 || status >= 500,
});

const SLOW_DOWN = [
  'Too many requests. Retry after the time given.',
  'Trop de requêtes. Réessayez après le délai indiqué.',
  'Wait for as many seconds as `Retry-After` says, then send the same request again.',
] as const;

export const ERROR_CATALOGUE = {
  validation_error: entry(
    400,
    'The request is malformed or a field is missing or out of range.',
    'La requête est mal formée, ou un champ manque ou est hors limites.',
    'Correct the input that `field` names; the request as it is never succeeds.',
  ),
  phone_invalid: entry(
    400,
    'The destination is not a valid E.164 phone number.',
    'Le destinataire n’est pas un numéro de téléphone E.164 valide.',
    'Ask for the number again, with a plus sign and the country code.',
  ),
  sender_id_invalid: entry(
    400,
    'The sender ID is not allowed.',
    'L’identifiant d’expéditeur n’est pas autorisé.',
    'Choose another sender ID, or leave it out.',
  ),
  dnd_blocked: entry(
    400,
    'The destination is on the Do Not Disturb registry.',
    'Le destinataire est inscrit au registre « Ne pas déranger ».',
    'Do not send to this number; its owner has to leave the registry.',
  ),
  domain_unverified: entry(
    400,
    'The sending domain is not verified.',
    'Le domaine d’envoi n’est pas vérifié.',
    'Verify the domain, then send again.',
  ),
  address_suppressed: entry(
    400,
    'The recipient is on the suppression list.',
    'Le destinataire est sur la liste de suppression.',
    'Do not send to this address; it bounced or complained.',
  ),
  authentication_error: entry(
    401,
    'The API key is missing, malformed, revoked or unknown.',
    'La clé d’API est absente, mal formée, révoquée ou inconnue.',
    'Send `Authorization: Bearer <key>` with a key that is in use.',
  ),
  insufficient_credits: entry(
    402,
    'The credit balance is too low for this send.',
    'Le solde de crédits est insuffisant pour cet envoi.',
    'Top the balance up, then send again.',
  ),
  quota_exceeded: entry(
    402,
    'The monthly quota is used up and the wallet cannot cover the rest.',
    'Le quota mensuel est épuisé et le solde ne couvre pas le reste.',
    'Top the balance up, or wait for the next month.',
  ),
  sms_quota_exceeded: entry(
    402,
    'The monthly SMS quota is used up and the wallet is empty.',
    'Le quota mensuel de SMS est épuisé et le solde est vide.',
    'Top the balance up, or wait for the next month.',
  ),
  permission_error: entry(
    403,
    'The key lacks permission for this endpoint.',
    'La clé n’a pas la permission d’utiliser ce point d’accès.',
    'Use a key, or an account, that may do this.',
  ),
  country_not_enabled: entry(
    403,
    'The destination country is not enabled for this workspace.',
    'Le pays de destination n’est pas activé pour cet espace de travail.',
    'Add the country to `enabled_countries` in the settings of the workspace.',
  ),
  prefix_blocked: entry(
    403,
    'The destination prefix is blocked by pumping protection.',
    'Le préfixe de destination est bloqué par la protection contre le pompage.',
    'Look at the traffic to this prefix; an owner or the operator can lift the block.',
  ),
  not_found: entry(
    404,
    'The resource does not exist.',
    'La ressource n’existe pas.',
    'Check the path and the id, and that the key belongs to the same workspace.',
  ),
  otp_expired: entry(
    409,
    'The code has expired. Send a new one.',
    'Le code a expiré. Envoyez-en un nouveau.',
    'Send a new one-time password.',
  ),
  otp_already_verified: entry(
    409,
    'The code was already verified.',
    'Le code a déjà été vérifié.',
    'Nothing: it was right. For another check send a new one-time password.',
  ),
  max_attempts_exceeded: entry(
    409,
    'Too many wrong codes. Send a new one.',
    'Trop de codes erronés. Envoyez-en un nouveau.',
    'Send a new one-time password.',
  ),
  conflict: entry(
    409,
    'The action conflicts with the current state.',
    'L’action est en conflit avec l’état actuel.',
    'Read the resource, and act on the state it is in.',
  ),
  idempotency_conflict: entry(
    409,
    'This Idempotency-Key was used with a different body within the last 24 hours.',
    'Cette Idempotency-Key a servi avec un autre corps au cours des dernières 24 heures.',
    'Use a new key for a new request.',
  ),
  rate_limit_exceeded: entry(429, ...SLOW_DOWN),
  rate_limited: entry(429, ...SLOW_DOWN),
  internal_error: entry(
    500,
    'Something went wrong on our side. Retry with backoff.',
    'Une erreur s’est produite de notre côté. Réessayez en espaçant les tentatives.',
    'Retry with backoff and the same `Idempotency-Key`; quote `request_id` if it stays.',
  ),
  upstream_error: entry(
    502,
    'The upstream carrier is failing. Retry later.',
    'L’opérateur en amont est défaillant. Réessayez plus tard.',
    'Retry later with the same `Idempotency-Key`.',
  ),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorType = keyof typeof ERROR_CATALOGUE;

/**
 * An expected failure. Handlers throw or return it, and one filter maps it to the error envelope.
 */
export class ApiError extends Error {
  readonly type: ErrorType;
  readonly status: number;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly text: ErrorText;

  constructor(
    type: ErrorType,
    options: {
      /**
       * Text from `ERROR_MESSAGES`. Without a French text, French callers get the type's generic
       * text.
       */
      message?: string | ErrorText;
      field?: string;
      retryAfterSeconds?: number;
      /** Status that replaces the type's own. Decisions allow it for 405, 413, 415 and 503. */
      status?: number;
    } = {},
  ) {
    // A flood throws many of these. A stack trace would cost more than the whole answer and is not
    // needed.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const { en, fr }: ErrorText = ERROR_CATALOGUE[type];
    const { message = { en, fr } } = options;
    const text = typeof message === 'string' ? { en: message, fr } : message;
    super(text.en);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ApiError';
    this.type = type;
    this.text = text;
    this.status = options.status ?? ERROR_CATALOGUE[type].status;
    this.field = options.field;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
