import type { ErrorType } from './error-catalogue.js';

const NEW_CODE = 'Envoyez un nouveau code.';
const TOP_UP = 'Rechargez le solde, ou attendez le mois prochain.';
const WAIT = 'Attendez autant de secondes que le dit `Retry-After`, puis renvoyez la même requête.';

/** `next` of the catalogue in French, for the French page of errors. */
export const ERROR_REMEDIES_FR: Readonly<Record<ErrorType, string>> = {
  validation_error:
    'Corrigez la donnée que nomme `field` ; telle quelle, la requête échouera toujours.',
  phone_invalid: 'Redemandez le numéro, avec le signe plus et l’indicatif du pays.',
  sender_id_invalid: 'Choisissez un autre identifiant d’expéditeur, ou n’en donnez pas.',
  dnd_blocked: 'N’envoyez rien à ce numéro ; son titulaire doit quitter le registre.',
  domain_unverified: 'Vérifiez le domaine, puis renvoyez.',
  address_suppressed: 'N’envoyez rien à cette adresse : elle a rejeté un e-mail ou s’est plainte.',
  authentication_error: 'Envoyez `Authorization: Bearer <clé>` avec une clé en service.',
  insufficient_credits: 'Rechargez le solde, puis renvoyez.',
  quota_exceeded: TOP_UP,
  sms_quota_exceeded: TOP_UP,
  permission_error: 'Utilisez une clé, ou un compte, qui en a le droit.',
  country_not_enabled:
    'Ajoutez le pays à `enabled_countries` dans les réglages de l’espace de travail.',
  prefix_blocked:
    'Examinez le trafic vers ce préfixe ; un propriétaire ou l’exploitant peut lever le blocage.',
  not_found:
    'Vérifiez le chemin et l’identifiant, et que la clé appartient au même espace de travail.',
  otp_expired: NEW_CODE,
  otp_already_verified:
    'Rien : le code était juste. Pour une autre vérification, envoyez un nouveau code.',
  max_attempts_exceeded: NEW_CODE,
  conflict: 'Relisez la ressource, et agissez selon son état.',
  idempotency_conflict: 'Prenez une nouvelle clé pour une nouvelle requête.',
  rate_limit_exceeded: WAIT,
  rate_limited: WAIT,
  internal_error:
    'Réessayez en espaçant, avec la même `Idempotency-Key` ; citez `request_id` si l’erreur persiste.',
  upstream_error: 'Réessayez plus tard avec la même `Idempotency-Key`.',
};
