import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NumberingPlan } from './numbers.js';

/** Rows of all carriers that the simulator plays. */
const ROWS = [
  { id: 'twilio', carrier: 'twilio' },
  { id: 'africas_talking', carrier: 'africas_talking' },
  {
    ...{ id: 'vonage', carrier: 'vonage', settings: { signature_method: 'sha256' } },
    secrets: {
      api_key: { env: 'OUR_VONAGE_KEY' },
      api_secret: { env: 'OUR_VONAGE_SECRET' },
      signature_secret: { env: 'OUR_VONAGE_SIGNATURE_SECRET' },
    },
  },
  { id: 'infobip', carrier: 'infobip', secrets: { api_key: { env: 'OUR_INFOBIP_KEY' } } },
  {
    ...{ id: 'termii', carrier: 'termii' },
    secrets: { api_key: { env: 'OUR_TERMII_KEY' }, secret_key: { env: 'OUR_TERMII_SECRET' } },
  },
  {
    ...{ id: 'plivo', carrier: 'plivo', settings: { auth_id: 'MA000000000000000001' } },
    secrets: { auth_token: { env: 'OUR_PLIVO_TOKEN' } },
  },
  {
    ...{ id: 'smpp', carrier: 'smpp' },
    settings: { system_id: 'watchword', error_reasons: { '0dc': 'absent_subscriber' } },
    secrets: { password: { env: 'OUR_SMPP_PASSWORD' } },
  },
  { id: 'smtp', carrier: 'smtp' },
];

/** Settings with an account at each carrier. */
export async function allCarriers(): Promise<Record<string, string>> {
  const rows = ROWS.map((row) => ({ ...row, simulated: true }));
  const file = join(await mkdtemp(join(tmpdir(), 'watchword-carriers-')), 'carriers.json');
  await writeFile(file, JSON.stringify(rows));
  return {
    CARRIERS_FILE: file,
    OUR_VONAGE_KEY: 'a1b2c3d4',
    OUR_VONAGE_SECRET: 'secret-of-vonage',
    OUR_VONAGE_SIGNATURE_SECRET: 'signature-secret-of-vonage',
    OUR_INFOBIP_KEY: 'key-of-infobip',
    OUR_TERMII_KEY: 'TLkey-of-the-account',
    OUR_TERMII_SECRET: 'secret-of-termii',
    OUR_PLIVO_TOKEN: 'token-of-plivo',
    OUR_SMPP_PASSWORD: 'secret08',
  };
}

/** A further carrier in the country where tests prefer it. */
export interface Preferred {
  carrier: string;
  plan: NumberingPlan;
  /** Codes of failed reports, with the reason and, if it differs, the code of the attempt. */
  failures: ReadonlyArray<{ code: string | number; reason: string; shown?: string }>;
  /** The number that a handset answers. */
  line: string;
}

export const PREFERRED: Preferred[] = [
  {
    ...{ carrier: 'vonage', plan: 'SE', line: '20880' },
    failures: [{ code: 3, reason: 'unknown_subscriber' }],
  },
  {
    ...{ carrier: 'infobip', plan: 'MZ', line: '20880' },
    failures: [{ code: '2/9/1', reason: 'unknown_subscriber', shown: 'error 1' }],
  },
  {
    ...{ carrier: 'termii', plan: 'MW', line: '2347010000000' },
    failures: [
      { code: 'DND Active on Phone Number', reason: 'dnd_active' },
      { code: 'Message Failed', reason: 'carrier_rejected' },
      { code: 'expired', reason: 'expired' },
    ],
  },
  {
    ...{ carrier: 'plivo', plan: 'BW', line: '14155550100' },
    failures: [
      { code: 70, reason: 'unknown_subscriber' },
      { code: 30, reason: 'content_rejected' },
      { code: 80, reason: 'absent_subscriber' },
    ],
  },
  {
    ...{ carrier: 'smpp', plan: 'NA', line: 'Acme' },
    failures: [
      { code: 'EXPIRED', reason: 'expired' },
      { code: 'UNDELIV 0dc', reason: 'absent_subscriber' },
      { code: 'REJECTD', reason: 'carrier_rejected' },
    ],
  },
];
