/** Carriers as they write themselves. */
const NAMES: Readonly<Record<string, string>> = {
  africas_talking: 'Africa’s Talking',
  infobip: 'Infobip',
  plivo: 'Plivo',
  ses: 'Amazon SES',
  smpp: 'SMPP',
  smtp: 'SMTP',
  termii: 'Termii',
  twilio: 'Twilio',
  vonage: 'Vonage',
};

/** Returns the name of a carrier, or its id, as of a second account. */
export function carrierName(id: string): string {
  return NAMES[id] ?? id;
}

/** Most letters of an abbreviation. */
const ABBREVIATION_LETTERS_MAX = 3;

/** Returns the name of a network by its id: of `mtn_ng` it is `MTN (NG)`. */
export function networkName(id: string): string {
  const [, words, country] = /^(.+)_([a-z]{2})$/.exec(id) ?? [];
  if (!words || !country) return id;
  const name = words
    .split('_')
    .map((word) =>
      word.length <= ABBREVIATION_LETTERS_MAX
        ? word.toUpperCase()
        : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ');
  return `${name} (${country.toUpperCase()})`;
}
