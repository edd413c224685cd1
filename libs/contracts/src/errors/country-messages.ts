import type { ErrorText } from './error-catalogue.js';

const text = (en: string, fr: string): ErrorText => ({ en, fr });

const ENGLISH = new Intl.DisplayNames('en', { type: 'region' });
const FRENCH = new Intl.DisplayNames('fr', { type: 'region' });

/** The destination country with its name in brackets, which fits every name in both languages. */
function destination(countryCode: string): ErrorText {
  return text(
    `the destination country (${ENGLISH.of(countryCode)})`,
    `pays de destination (${FRENCH.of(countryCode)})`,
  );
}

/** A sender ID that a country's rule does not allow. */
export interface SenderAgainstRule {
  readonly senderId: string;
  readonly countryCode: string;
  /** Characters that the country asks for. Only `tooShort` says it. */
  readonly lengthMin: number;
  /** The input with the sender ID. `POST /v1/sms/send` has `sender_id`, which can be left out. */
  readonly field: string;
}

/** How to send without a sender ID. `from` cannot be left out. */
function withoutSenderId(field: string): ErrorText {
  if (field === 'sender_id') return text('leave sender_id out', 'omettez sender_id');
  return text(
    'use POST /v1/sms/send without sender_id',
    'utilisez POST /v1/sms/send sans sender_id',
  );
}

/** What a country's rule has against a sender ID. */
export const SENDER_MESSAGES = {
  forbidden: ({ senderId, countryCode, field }: SenderAgainstRule) => {
    const [{ en, fr }, other] = [destination(countryCode), withoutSenderId(field)];
    return text(
      `Networks in ${en} carry no sender ID with letters, such as "${senderId}". Instead, ${other.en}.`,
      `Les réseaux du ${fr} n’acheminent aucun expéditeur en lettres, comme « ${senderId} ». ` +
        `À la place, ${other.fr}.`,
    );
  },
  reserved: ({ senderId, countryCode, field }: SenderAgainstRule) => {
    const [{ en, fr }, other] = [destination(countryCode), withoutSenderId(field)];
    return text(
      `"${senderId}" is a reserved word in ${en}. Use the name of your brand, or ${other.en}.`,
      `« ${senderId} » est un mot réservé dans le ${fr}. Utilisez le nom de votre marque, ou ${other.fr}.`,
    );
  },
  tooShort: ({ senderId, countryCode, lengthMin, field }: SenderAgainstRule) => {
    const [{ en, fr }, other] = [destination(countryCode), withoutSenderId(field)];
    return text(
      `Sender IDs in ${en} need at least ${lengthMin} characters; "${senderId}" has ${senderId.length}. ` +
        `Use a longer one, or ${other.en}.`,
      `Dans le ${fr}, un expéditeur compte au moins ${lengthMin} caractères ; « ${senderId} » en a ` +
        `${senderId.length}. Utilisez-en un plus long, ou ${other.fr}.`,
    );
  },
  unregistered: ({ senderId, countryCode, field }: SenderAgainstRule) => {
    const [{ en, fr }, other] = [destination(countryCode), withoutSenderId(field)];
    return text(
      `Networks in ${en} take registered sender IDs only. Register "${senderId}" there first, or ${other.en}.`,
      `Les réseaux du ${fr} n’acceptent que les expéditeurs enregistrés. Enregistrez-y d’abord ` +
        `« ${senderId} », ou ${other.fr}.`,
    );
  },
  replaced: ({ senderId, countryCode }: SenderAgainstRule) => {
    const { en, fr } = destination(countryCode);
    return text(
      `Handsets in ${en} show a number instead of "${senderId}".`,
      `Les téléphones du ${fr} affichent un numéro à la place de « ${senderId} ».`,
    );
  },
};

/** What quiet hours of a country do to a promotional message. `until` is when they end. */
export const QUIET_HOURS_MESSAGES = {
  refused: (countryCode: string, until: string) => {
    const { en, fr } = destination(countryCode);
    return text(
      `Quiet hours of promotional messages in ${en} end at ${until}. Send the message then, or set send_at ` +
        `of POST /v1/sms to that time.`,
      `Les heures calmes des messages promotionnels dans le ${fr} finissent à ${until}. Envoyez le ` +
        `message à cette heure, ou indiquez-la dans send_at de POST /v1/sms.`,
    );
  },
  delayed: (countryCode: string, until: string) => {
    const { en, fr } = destination(countryCode);
    return text(
      `The message waits for the end of the quiet hours in ${en}, at ${until}.`,
      `Le message attend la fin des heures calmes dans le ${fr}, à ${until}.`,
    );
  },
};
