import { africasTalking } from './africas-talking/africas-talking.adapter.js';
import { Smsc } from './smpp/smsc.js';
import type { Dialect } from './dialect.port.js';
import { infobip } from './infobip/infobip.adapter.js';
import { plivo } from './plivo/plivo.adapter.js';
import { termii } from './termii/termii.adapter.js';
import { twilio } from './twilio/twilio.adapter.js';
import { vonage } from './vonage/vonage.adapter.js';

/** A customer's account at a carrier, by name. */
export type Account = Readonly<Record<string, string | undefined>>;

/** Accounts by the carrier's token. A carrier without an account is not simulated. */
export type Accounts = Readonly<Record<string, Account>>;

interface DialectEntry {
  readonly provider: string;
  /** Fields that an account needs, then optional ones. */
  readonly needs: readonly string[];
  readonly takes: readonly string[];
  create(account: Account): Dialect;
}

/** One entry per carrier. */
export const DIALECTS: readonly DialectEntry[] = [
  {
    provider: 'twilio',
    needs: ['accountSid', 'authToken'],
    takes: ['callbackUrl'],
    create: ({ accountSid = '', authToken = '', callbackUrl }) =>
      twilio({ accountSid, authToken, callbackUrl }),
  },
  {
    provider: 'africas_talking',
    needs: ['username', 'apiKey'],
    takes: ['callbackUrl'],
    create: ({ username = '', apiKey = '', callbackUrl }) =>
      africasTalking({ username, apiKey, callbackUrl }),
  },
  {
    provider: 'vonage',
    needs: ['apiKey', 'apiSecret'],
    takes: ['signatureSecret', 'signatureMethod', 'callbackUrl'],
    create: ({ apiKey = '', apiSecret = '', ...others }) =>
      vonage({ apiKey, apiSecret, ...others }),
  },
  {
    provider: 'infobip',
    needs: ['apiKey'],
    takes: ['callbackUrl', 'callbackUsername', 'callbackPassword'],
    create: ({ apiKey = '', ...others }) => infobip({ apiKey, ...others }),
  },
  {
    provider: 'termii',
    needs: ['apiKey', 'secretKey'],
    takes: ['callbackUrl'],
    create: ({ apiKey = '', secretKey = '', callbackUrl }) =>
      termii({ apiKey, secretKey, callbackUrl }),
  },
  {
    provider: 'plivo',
    needs: ['authId', 'authToken'],
    takes: ['callbackUrl'],
    create: ({ authId = '', authToken = '', callbackUrl }) =>
      plivo({ authId, authToken, callbackUrl }),
  },
  {
    provider: 'smpp',
    needs: ['systemId', 'password'],
    takes: [],
    create: ({ systemId = '', password = '' }) => new Smsc({ systemId, password }),
  },
];

export function dialectsOf(accounts: Accounts): Dialect[] {
  const given = new Map(Object.entries(accounts));
  return DIALECTS.flatMap(({ provider, create }) => {
    const account = given.get(provider);
    return account === undefined ? [] : [create(account)];
  });
}
