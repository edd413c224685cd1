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
