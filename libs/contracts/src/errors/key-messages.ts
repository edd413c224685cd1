import type { ErrorText } from './error-catalogue.js';

const text = (en: string, fr: string): ErrorText => ({ en, fr });

/**
 * Messages for requests that the key's permission does not allow, and for bad requests to the agent
 * endpoint.
 */
export const KEY_MESSAGES = {
  workspaceSuspended: text(
    'The workspace is suspended. Contact the operator.',
    'L’espace de travail est suspendu. Contactez l’opérateur.',
  ),
  countryNotOfKey: (countryCode: string) =>
    text(
      `This agent key may not send to the country ${countryCode}.`,
      `Cette clé d’agent ne peut pas envoyer vers le pays ${countryCode}.`,
    ),
  dailyBudget: text(
    'The daily budget of this agent key does not cover this send. A new day begins at 00:00 UTC.',
    'Le budget quotidien de cette clé d’agent ne couvre pas cet envoi. Un nouveau jour commence à 00:00 UTC.',
  ),
  agentKeysOnly: (field: string) =>
    text(`${field} needs the permission "agent".`, `${field} requiert la permission « agent ».`),
  oneMessageOnly: text(
    'The body must be one JSON-RPC message, as a JSON object.',
    'Le corps doit être un seul message JSON-RPC, sous forme d’objet JSON.',
  ),
};
