import type { NumberingPlan } from './numbers.js';

/** Accounts of further carriers. The simulator plays them, so a setting is all that they need. */
export const FURTHER_ACCOUNTS = {
  VONAGE_API_KEY: 'a1b2c3d4',
  VONAGE_API_SECRET: 'secret-of-vonage',
  VONAGE_SIGNATURE_SECRET: 'signature-secret-of-vonage',
  VONAGE_SIGNATURE_METHOD: 'sha256',
  INFOBIP_API_KEY: 'key-of-infobip',
  TERMII_API_KEY: 'TLkey-of-the-account',
  TERMII_SECRET_KEY: 'secret-of-termii',
  PLIVO_AUTH_ID: 'MA000000000000000001',
  PLIVO_AUTH_TOKEN: 'token-of-plivo',
  SMPP_SYSTEM_ID: 'watchword',
  SMPP_PASSWORD: 'secret08',
  SMPP_ERROR_REASONS: '0dc=absent_subscriber',
};

/** A further carrier in the country where tests prefer it. */
export interface Preferred {
  carrier: string;
  plan: NumberingPlan;
  /** The carrier that comes next there. */
  usual: string;
  /** Codes of failed reports, with the reason and, if it differs, the code of the attempt. */
  failures: ReadonlyArray<{ code: string | number; reason: string; shown?: string }>;
  /** Code of a refused sender, and the code of its attempt. */
  refuse: string | number;
  shown: string;
  /** The number that a handset answers. */
  line: string;
}

export const PREFERRED: Preferred[] = [
  {
    ...{ carrier: 'vonage', plan: 'SE', usual: 'twilio', line: '20880' },
    failures: [{ code: 3, reason: 'unknown_subscriber' }],
    ...{ refuse: 15, shown: '15' },
  },
  {
    ...{ carrier: 'infobip', plan: 'MZ', usual: 'africas_talking', line: '20880' },
    failures: [{ code: '2/9/1', reason: 'unknown_subscriber', shown: 'error 1' }],
    ...{ refuse: 13, shown: 'status 13' },
  },
  {
    ...{ carrier: 'termii', plan: 'MW', usual: 'africas_talking', line: '2347010000000' },
    failures: [
      { code: 'DND Active on Phone Number', reason: 'dnd_active' },
      { code: 'Message Failed', reason: 'carrier_rejected' },
      { code: 'expired', reason: 'expired' },
    ],
    ...{ refuse: 'Invalid Sender Id', shown: 'Invalid Sender Id' },
  },
  {
    ...{ carrier: 'plivo', plan: 'BW', usual: 'africas_talking', line: '14155550100' },
    failures: [
      { code: 70, reason: 'unknown_subscriber' },
      { code: 30, reason: 'content_rejected' },
      { code: 80, reason: 'absent_subscriber' },
    ],
    ...{ refuse: 'src', shown: 'HTTP 400' },
  },
  {
    ...{ carrier: 'smpp', plan: 'NA', usual: 'africas_talking', line: 'Acme' },
    failures: [
      { code: 'EXPIRED', reason: 'expired' },
      { code: 'UNDELIV 0dc', reason: 'absent_subscriber' },
      { code: 'REJECTD', reason: 'carrier_rejected' },
    ],
    ...{ refuse: 'ESME_RINVSRCADR', shown: 'ESME_RINVSRCADR' },
  },
];
