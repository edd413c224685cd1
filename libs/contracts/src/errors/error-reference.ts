import {
  type CatalogueEntry,
  ERROR_CATALOGUE,
  type ErrorType,
  type Language,
} from './error-catalogue.js';
import { ERROR_REMEDIES_FR } from './error-remedies-fr.js';

const HEAD_EN = `# Errors

Every answer that is not a success is \`{"error": {"type", "message", "field"?, "request_id",
"doc_url", "retry_after_seconds"?}}\`. Match on \`type\`: it never changes. \`message\` is prose in the
default language of the key's workspace, and without a key in English; \`Accept-Language: en\` or \`fr\`
asks for another one. \`field\` names the input to blame. \`doc_url\` leads to the type on this page: an
address if a setting names that of the installation, else a path.

The status below is that of the type. A \`validation_error\` is also 405 (with \`Allow\`), 408, 413, 415
or 431 where the request as a whole is the problem, and an \`internal_error\` 503 (with
\`Retry-After\`) while the service is busy.
`;

const HEAD_FR = `# Erreurs

Toute réponse qui n’est pas un succès est \`{"error": {"type", "message", "field"?, "request_id",
"doc_url", "retry_after_seconds"?}}\`. Fiez-vous à \`type\`, qui ne change jamais. \`message\` est dans la
langue de l’espace de travail ; \`Accept-Language: fr\` ou \`en\` en demande une autre. \`field\` nomme la
donnée en cause, et \`doc_url\` mène à la page anglaise des erreurs.

Une \`validation_error\` peut aussi être 405, 408, 413, 415 ou 431 quand toute la requête est en cause,
et une \`internal_error\` 503 tant que le service est occupé.
`;

const WORDS = {
  en: { head: HEAD_EN, again: 'retry the same request', no: 'do not retry it as it is' },
  fr: { head: HEAD_FR, again: 'renvoyez la même requête', no: 'ne la renvoyez pas telle quelle' },
} as const;

/** Returns the reference page of all errors, made from the catalogue. Each type is a heading. */
export function errorReference(language: Language = 'en'): string {
  const types = Object.entries(ERROR_CATALOGUE) as [ErrorType, CatalogueEntry][];
  const parts = types.map(([type, entry]) => part(type, entry, language));
  return `${WORDS[language].head}\n${parts.join('\n')}`;
}

function part(type: ErrorType, entry: CatalogueEntry, language: Language): string {
  const { again, no } = WORDS[language];
  const [cause, remedy, labels] =
    language === 'fr'
      ? [entry.fr, ERROR_REMEDIES_FR[type], ['Cause :', 'Que faire :']]
      : [entry.en, entry.next, ['Cause:', 'What to do:']];
  return `## \`${type}\`

**${entry.status}**, ${entry.retriable ? again : no}.

- ${labels[0]} ${cause}
- ${labels[1]} ${remedy}
`;
}
