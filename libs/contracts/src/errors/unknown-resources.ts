import { UNKNOWN_MESSAGES } from '../channels/channel-contracts.js';
import { ApiError, type ErrorText } from './error-catalogue.js';

const text = (en: string, fr: string): ErrorText => ({ en, fr });

/**
 * The sentence of a 404, by resource. An id of another form, kind, mode or workspace reads the same
 * as an unknown one.
 */
export const UNKNOWN_RESOURCES = {
  ...UNKNOWN_MESSAGES,
  api_key: text('No API key has this id.', 'Aucune clé d’API n’a cet identifiant.'),
  carrier_account: text(
    'No carrier account has this id.',
    'Aucun compte d’opérateur n’a cet identifiant.',
  ),
  credit_account: text(
    'The workspace has no credit account.',
    'L’espace de travail n’a pas de compte de crédits.',
  ),
  domain: text('No domain has this id.', 'Aucun domaine n’a cet identifiant.'),
  invitation: text(
    'No open invitation to this workspace has this id.',
    'Aucune invitation ouverte à cet espace de travail n’a cet identifiant.',
  ),
  member: text(
    'No member of this workspace has this id.',
    'Aucun membre de cet espace de travail n’a cet identifiant.',
  ),
  message: text('No message has this id.', 'Aucun message n’a cet identifiant.'),
  payment: text('No payment has this id.', 'Aucun paiement n’a cet identifiant.'),
  prefix: text(
    'The workspace has no restriction of this prefix.',
    'L’espace de travail n’a pas de restriction de ce préfixe.',
  ),
  recovery: text('No recovery has this id.', 'Aucune reprise n’a cet identifiant.'),
  sender_id: text(
    'No sender ID has this id.',
    'Aucun identifiant d’expéditeur n’a cet identifiant.',
  ),
  statement: text(
    'No statement has this month. Write it as 2026-11.',
    'Aucun relevé n’a ce mois. Écrivez-le sous la forme 2026-11.',
  ),
  suppression: text(
    'This address is not on the suppression list.',
    'Cette adresse n’est pas sur la liste de suppression.',
  ),
  template: text('No SMS template has this id.', 'Aucun modèle de SMS n’a cet identifiant.'),
  user: text('No user has this id.', 'Aucun utilisateur n’a cet identifiant.'),
  webhook: text('No webhook has this id.', 'Aucun webhook n’a cet identifiant.'),
  webhook_delivery: text(
    'No webhook delivery has this id.',
    'Aucune livraison de webhook n’a cet identifiant.',
  ),
  workspace: text('No workspace has this id.', 'Aucun espace de travail n’a cet identifiant.'),
} as const satisfies Record<string, ErrorText>;

export type Resource = keyof typeof UNKNOWN_RESOURCES;

/** Returns the 404 of a resource that the caller cannot see. */
export function unknownResource(resource: Resource): ApiError {
  return new ApiError('not_found', { message: UNKNOWN_RESOURCES[resource] });
}
