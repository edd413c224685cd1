import type { ErrorText } from './error-catalogue.js';

const text = (en: string, fr: string): ErrorText => ({ en, fr });

/** Why the URL or the events of a webhook are refused. */
export const WEBHOOK_MESSAGES = {
  urlTooLong: (charactersMax: number) =>
    text(
      `The URL is longer than ${charactersMax} characters.`,
      `L’URL dépasse ${charactersMax} caractères.`,
    ),
  urlCharacter: text(
    'The URL contains a character that is not allowed.',
    'L’URL contient un caractère interdit.',
  ),
  noUrl: text('This is not a URL.', 'Ce n’est pas une URL.'),
  urlCredentials: text(
    'The URL must not contain credentials.',
    'L’URL ne doit pas contenir d’identifiants.',
  ),
  urlFragment: text(
    'The URL must not contain a fragment.',
    'L’URL ne doit pas contenir de fragment.',
  ),
  urlNotPublic: text(
    'The URL must be reachable from the public internet.',
    'L’URL doit être accessible depuis l’internet public.',
  ),
  urlNotHttps: text('The URL must start with https://.', 'L’URL doit commencer par https://.'),
  urlPort: text('The port of the URL is not allowed.', 'Le port de l’URL n’est pas autorisé.'),
  noEvents: text('Name at least one event.', 'Indiquez au moins un événement.'),
  allEventsAlone: text(
    '"*" means all events and stands alone: ["*"].',
    '"*" désigne tous les événements et s’emploie seul : ["*"].',
  ),
  /** `examples` are words of the API, the same in all languages. */
  unknownEvent: (name: string, ...examples: string[]) => {
    const [quoted, ...good] = [name, ...examples].map((word) => JSON.stringify(word));
    return text(
      `${quoted} is not the name of an event. Use for example ${good.join(' or ')}.`,
      `${quoted} n’est pas le nom d’un événement. Utilisez par exemple ${good.join(' ou ')}.`,
    );
  },
};
