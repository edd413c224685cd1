import type { ErrorText } from './error-catalogue.js';

const text = (en: string, fr: string): ErrorText => ({ en, fr });

/** Problems of one input. Each sentence begins with the name of the input. */
const PROBLEMS = {
  required: text('is required', 'est obligatoire'),
  unknown: text('is unknown. Check its name', 'est inconnu. Vérifiez son nom'),
  empty: text('must not be empty', 'ne doit pas être vide'),
  commonPassword: text(
    'is too common. Choose a longer or less usual password',
    'est trop courant. Choisissez un mot de passe plus long ou moins courant',
  ),
  form: text('does not have the expected form', 'n’a pas la forme attendue'),
  repeated: text(
    'must not have the same item twice',
    'ne doit pas contenir deux fois le même élément',
  ),
  unknownCountry: text('names an unknown country', 'désigne un pays inconnu'),
  slugLikeId: text('has the form of an id', 'a la forme d’un identifiant'),
  noReceiver: text(
    'must be the id of a message, an email address or a phone number, for example "0803 123 4567"',
    'doit être l’identifiant d’un message, une adresse e-mail ou un numéro, par exemple « 0803 123 4567 »',
  ),
  noRecipient: text(
    'must be an email address or a phone number, in national form only with a country',
    'doit être une adresse e-mail ou un numéro, au format national seulement avec un pays',
  ),
  futureMonth: text('must not be in the future', 'ne doit pas être dans le futur'),
  notAMoment: text('is not a moment in time', 'n’est pas une date valide'),
  forbiddenKey: text('has a key that is not allowed', 'contient une clé interdite'),
  nul: text('contains a NUL character', 'contient un caractère NUL'),
  halfSurrogate: text(
    'contains half of a surrogate pair',
    'contient la moitié d’une paire de substitution',
  ),
  lossyNumber: text(
    'is a number with more digits than JSON clients keep: send it as a string',
    'est un nombre de plus de chiffres que les clients JSON n’en conservent : envoyez-le comme chaîne',
  ),
  foreignCursor: text(
    'is not one that this list gave out',
    'ne provient pas d’une page de cette liste',
  ),
  notE164: text(
    'must be in E.164 format: a plus sign and 8 to 15 digits',
    'doit être au format E.164 : un signe plus et 8 à 15 chiffres',
  ),
  impossibleNumber: text(
    'is not a possible phone number',
    'n’est pas un numéro de téléphone possible',
  ),
  noCountriesOfEmail: text(
    'must be empty for an account of emails, which have no country',
    'doit être vide pour un compte d’e-mails, qui n’ont pas de pays',
  ),
  noCountry: text('belongs to no country', 'n’appartient à aucun pays'),
  refusedNumberType: text(
    'is of a kind that cannot receive messages',
    'est d’un type qui ne reçoit pas de messages',
  ),
  blockedRange: text(
    'is in a range that messages are not sent to',
    'est dans une plage vers laquelle rien n’est envoyé',
  ),
  fictional: text(
    'is fictional: it works with test keys only',
    'est fictif : il ne fonctionne qu’avec des clés de test',
  ),
  cannotReceive: text('cannot receive messages', 'ne peut pas recevoir de messages'),
  spentQuote: text(
    'is unknown, used, more than 60 seconds old or of another send. Ask for a new quote',
    'est inconnu, utilisé, vieux de plus de 60 secondes ou d’un autre envoi. Demandez un nouveau devis',
  ),
  besideBody: text(
    'cannot stand beside body: send one of the two',
    'ne peut pas accompagner body : envoyez l’un des deux',
  ),
  nothingToSend: text(
    'is empty, or nothing is left of it to send',
    'est vide, ou il n’en reste rien à envoyer',
  ),
  controls: text(
    'must not contain line breaks or control characters',
    'ne doit contenir ni retour à la ligne ni caractère de contrôle',
  ),
  besideText: text('or text is required', 'ou text est obligatoire'),
  notBase64: text('must be padded base64', 'doit être en base64 avec remplissage'),
  contentType: text(
    'must be a media type, for example "application/pdf"',
    'doit être un type de média, par exemple « application/pdf »',
  ),
  domainName: text(
    'must be a domain name of letters, digits and hyphens, for example "mail.example.com"',
    'doit être un nom de domaine fait de lettres, chiffres et tirets, par exemple « mail.example.com »',
  ),
  simulatorDomain: text(
    'belongs to the simulator: it works with test keys only',
    'appartient au simulateur : il ne fonctionne qu’avec des clés de test',
  ),
  emailAddress: text(
    'must be an email address, for example "ada@example.com"',
    'doit être une adresse e-mail, par exemple « ada@example.com »',
  ),
  senderId: text(
    'must have 1 to 11 letters, digits, spaces or . & _ -, at least one letter and no space at either end',
    'doit avoir de 1 à 11 lettres, chiffres, espaces ou . & _ -, au moins une lettre et pas d’espace au début ni à la fin',
  ),
  timeZone: text(
    'must be an IANA time zone, for example "Africa/Lagos"',
    'doit être un fuseau horaire IANA, par exemple « Africa/Lagos »',
  ),
  noOpenHour: text(
    'must leave some time of the week open',
    'doit laisser une partie de la semaine libre',
  ),
  calendarDay: text(
    'must be an existing date, for example "2026-07-01"',
    'doit être une date qui existe, par exemple « 2026-07-01 »',
  ),
  missingCode: text('must contain {code}', 'doit contenir {code}'),
  unknownPlaceholder: text(
    'knows the placeholders {code}, {brand} and {minutes} only',
    'ne connaît que les variables {code}, {brand} et {minutes}',
  ),
  trialText: text(
    'must have no link, no host name and no name of a bank, operator or brand until the workspace has bought credits',
    'ne doit avoir ni lien, ni nom d’hôte, ni nom de banque, d’opérateur ou de marque tant que l’espace de travail n’a pas acheté de crédits',
  ),
  trialDomain: text(
    'can be set once the workspace has bought credits',
    'peut être réglé dès que l’espace de travail a acheté des crédits',
  ),
  spam: text(
    'makes a text that the anti-spam rules block',
    'donne un texte que les règles anti-spam bloquent',
  ),
  hostName: text(
    'must be a host name alone, for example "app.example.com"',
    'doit être un nom d’hôte seul, par exemple « app.example.com »',
  ),
  ownDomain: text(
    'must be a domain of one owner in lower-case ASCII, for example "acme.com" or "acme.co.uk"',
    'doit être le domaine d’un seul titulaire en ASCII minuscule, par exemple « acme.com » ou « acme.co.uk »',
  ),
  besideWebotpDomain: text(
    'cannot be set together with settings.webotp_domain',
    'ne peut pas accompagner settings.webotp_domain',
  ),
  currency: text(
    'must be three capital letters, for example "NGN"',
    'doit être fait de trois lettres majuscules, par exemple « NGN »',
  ),
  networkCodes: text(
    'must have codes of five or six digits, for example "62130"',
    'doit avoir des codes de cinq ou six chiffres, par exemple « 62130 »',
  ),
  zero: text('must not be zero', 'ne doit pas être zéro'),
  adjustmentOnly: text(
    'may be negative for an adjustment only',
    'ne peut être négatif que pour un ajustement',
  ),
} as const satisfies Record<string, ErrorText>;

export type InputProblem = keyof typeof PROBLEMS;

/** Types of JSON values. */
const IN_FRENCH: Readonly<Record<string, string>> = {
  'a number': 'un nombre',
  'a string': 'une chaîne',
  'an array': 'un tableau',
  'an integer': 'un entier',
  'an object': 'un objet',
  'true or false': 'true ou false',
};

/** Problems with a number or a list in their sentences. */
export const INPUT_PROBLEMS = {
  mustBe: (allowed: readonly string[], example?: string) =>
    withExample(
      text(
        `must be ${allowed.join(' or ')}`,
        `doit être ${allowed.map((one) => IN_FRENCH[one] ?? one).join(' ou ')}`,
      ),
      example,
    ),
  form: (example?: string) => withExample(PROBLEMS.form, example),
  idFrom: (path: string, member = 'id') =>
    text(
      `must be the \`${member}\` that ${path} returned`,
      `doit être la valeur \`${member}\` que ${path} a renvoyée`,
    ),
  unknownBut: (meant: string) =>
    text(`is unknown. Did you mean "${meant}"?`, `est inconnu. Vouliez-vous dire « ${meant} » ?`),
  longestText: (segments: number, limit: number) =>
    text(
      `can take ${segments} segments; the limit is ${limit}`,
      `peut occuper ${segments} segments ; la limite est ${limit}`,
    ),
  atLeast: (limit: unknown) => text(`must be at least ${limit}`, `doit être au moins ${limit}`),
  atMost: (limit: unknown) => text(`must be at most ${limit}`, `doit être au plus ${limit}`),
  charactersMin: (limit: unknown) =>
    text(`needs ${limit} characters`, `doit avoir au moins ${limit} caractères`),
  charactersMax: (limit: unknown) =>
    text(`must have at most ${limit} characters`, `doit avoir au plus ${limit} caractères`),
  keysMax: (limit: unknown) =>
    text(`must have at most ${limit} keys`, `doit avoir au plus ${limit} clés`),
  e164As: (e164: string) =>
    text(
      `must be in E.164 format; did you mean "${e164}"?`,
      `doit être au format E.164 ; vouliez-vous dire « ${e164} » ?`,
    ),
  itemsMin: (limit: unknown) =>
    text(
      `must have at least ${limit} ${limit === 1 ? 'item' : 'items'}`,
      `doit avoir au moins ${limit} ${limit === 1 ? 'élément' : 'éléments'}`,
    ),
  itemsMax: (limit: unknown) =>
    text(`must have at most ${limit} items`, `doit avoir au plus ${limit} éléments`),
  recipientsMax: (limit: number) =>
    text(
      `makes more than ${limit} recipients in all`,
      `porte le nombre de destinataires à plus de ${limit}`,
    ),
  emailBytesMax: (limit: number) =>
    text(
      `make the finished message larger than ${limit} bytes`,
      `font dépasser ${limit} octets au message`,
    ),
  depthMax: (limit: number) =>
    text(`is nested deeper than ${limit} levels`, `est imbriqué à plus de ${limit} niveaux`),
  valuesMax: (limit: number) =>
    text(`must have at most ${limit} JSON values`, `doit contenir au plus ${limit} valeurs JSON`),
  bytesMax: (limit: number) =>
    text(
      `must not be longer than ${limit} bytes as JSON`,
      `ne doit pas dépasser ${limit} octets en JSON`,
    ),
  segmentsMax: (segments: number, limit: number) =>
    text(
      `takes ${segments} segments; at most ${limit} are allowed`,
      `occupe ${segments} segments ; ${limit} au plus sont permis`,
    ),
  strictMin: (limit: number) =>
    text(
      `must be at least ${limit} in this workspace`,
      `doit être au moins ${limit} dans cet espace de travail`,
    ),
  strictMax: (limit: number) =>
    text(
      `must be at most ${limit} in this workspace`,
      `doit être au plus ${limit} dans cet espace de travail`,
    ),
  periodMax: (limit: number) =>
    text(
      `must be before to, and the period at most ${limit} hours or days, of the years 2000 to 2099`,
      `doit précéder to, et la période compter au plus ${limit} heures ou jours, des années 2000 à 2099`,
    ),
  keyLength: (limit: number) =>
    text(`must have 1 to ${limit} characters`, `doit avoir de 1 à ${limit} caractères`),
};

/** Returns the message for one input and its problem. Without a name it is about the whole body. */
export function inputMessage(
  field: string | undefined,
  problem: InputProblem | ErrorText,
): ErrorText {
  const { en, fr } = typeof problem === 'string' ? PROBLEMS[problem] : problem;
  return text(`${field ?? 'The body'} ${ended(en)}`, `${field ?? 'Le corps'} ${ended(fr)}`);
}

function ended(sentence: string): string {
  return sentence.endsWith('?') ? sentence : `${sentence}.`;
}

/** An example is JSON text, so a string has quotes. */
function withExample({ en, fr }: ErrorText, example: string | undefined): ErrorText {
  if (example === undefined) return { en, fr };
  return text(`${en}, for example ${example}`, `${fr}, par exemple ${example}`);
}
