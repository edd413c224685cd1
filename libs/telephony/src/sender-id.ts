/** No blank at either end: a handset does not show it. */
const SENDER_ID = /^(?! )(?=.*[A-Za-z])[A-Za-z0-9 .&_-]{1,11}(?<! )$/;

/**
 * Returns whether the value has 1 to 11 letters, digits, spaces and `. & _ -`, with at least one
 * letter (otherwise it is a number) and no space at either end.
 */
export function isSenderId(value: string): boolean {
  return SENDER_ID.test(value);
}

const LETTER = /\p{L}/u;

/** Returns whether a sender is a name. One without letters is a number or a short code. */
export function isSenderName(sender: string): boolean {
  return LETTER.test(sender);
}

const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{N}]/gu;
/** Read alike on a handset: 0 and O; 1, l and I; Cyrillic and Greek letters, of which one case may, and Latin ones. */
const LOOK_ALIKES = new Map([
  ...pairs('01i', 'oll'),
  ...pairs('авсенһіјкморѕтухԁԛԝ', 'abcehhljkmopstyxdqw'),
  ...pairs('αβεζηικμνορτυχ', 'abezhlkmnoptyx'),
]);

function pairs(from: string, to: string): [string, string][] {
  return [...from].map((letter, place) => [letter, [...to][place]!]);
}

/**
 * Returns the form in which sender IDs are compared, everywhere: `G.T Bank`, `gt-bank` and `GTBank`
 * look the same to a reader, as `PayPal` and `PAYPAI` do. A number keeps its digits. Tables keep
 * the form beside the sender ID, so a change of this function needs a migration. None is the empty text.
 */
export function foldSenderId(senderId: string | null): string {
  const bare = (senderId ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(NEITHER_LETTER_NOR_DIGIT, '');
  if (!isSenderName(bare)) return bare;
  return [...bare].map((letter) => LOOK_ALIKES.get(letter) ?? letter).join('');
}

/** Returns whether the list has the sender ID, in its folded form. */
export function listsSenderId(listed: readonly string[], senderId: string | null): boolean {
  if (senderId === null) return false;
  const folded = foldSenderId(senderId);
  return listed.some((one) => foldSenderId(one) === folded);
}
