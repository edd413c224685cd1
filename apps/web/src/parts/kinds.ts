/** Kinds of messages: as a word in a list, as the title of one message, and as the name of all. */
export const KINDS = {
  otp: ['Code', 'Code'],
  sms: ['SMS', 'SMS'],
  email: ['Email', 'E-mail'],
} as const;

export const KIND_TITLES = {
  ...KINDS,
  otp: ['One-time password', 'Code à usage unique'],
} as const;

export const KIND_PLURALS = {
  otp: ['Codes', 'Codes'],
  sms: ['SMS', 'SMS'],
  email: ['Emails', 'E-mails'],
} as const;
