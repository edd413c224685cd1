import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';
import type { DefaultAlphabet } from './delivery-text.js';
import type { LongMessages } from './message-parts.js';
import type { MessageIds } from './receipt.js';
import { ERROR_REASONS, PLATFORM_FAULTS, parseErrorReasons } from './status-map.js';

const PORT = 2_775;
const TLS_PORT = 3_550;

/** An SMSC or aggregator that speaks SMPP 3.4. */
export const smpp: Carrier = {
  token: 'smpp',
  title: 'SMPP 3.4',
  settings: [
    {
      key: 'systemId',
      suffix: 'SYSTEM_ID',
      kind: 'text',
      required: true,
      pattern: /^[\x21-\x7e]{1,15}$/,
      meaning: 'at most 15 ASCII characters without a space',
      services: ['dispatch'],
      sentence: 'Name of the account at the SMSC.',
    },
    {
      key: 'password',
      suffix: 'PASSWORD',
      kind: 'text',
      required: true,
      secret: true,
      services: ['dispatch'],
      sentence: 'Password of that account.',
    },
    {
      key: 'host',
      suffix: 'HOST',
      kind: 'text',
      pattern: /^[A-Za-z0-9.:-]+$/,
      meaning: 'a host name or address',
      fallbackText: 'the carrier simulator (embedded); required elsewhere',
      services: ['dispatch'],
      sentence: 'Host of the SMSC.',
    },
    {
      key: 'port',
      suffix: 'PORT',
      kind: 'port',
      fallbackText: `${PORT}, or ${TLS_PORT} with SMPP_SECURITY=tls`,
      services: ['dispatch'],
      sentence: 'Port of the SMSC.',
    },
    {
      key: 'security',
      suffix: 'SECURITY',
      kind: 'text',
      pattern: /^(?:tls|none)$/,
      meaning: 'tls or none',
      fallbackText: 'none: the connection needs a private network',
      services: ['dispatch'],
      sentence: 'How the connection is encrypted.',
    },
    {
      key: 'systemType',
      suffix: 'SYSTEM_TYPE',
      kind: 'text',
      pattern: /^[\x21-\x7e]{1,12}$/,
      meaning: 'at most 12 ASCII characters without a space',
      fallbackText: 'empty',
      services: ['dispatch'],
      sentence: 'Type of system that some SMSCs want in the bind.',
    },
    {
      key: 'sourceTon',
      suffix: 'SOURCE_TON',
      kind: 'text',
      pattern: /^[0-6]$/,
      meaning: 'a digit from 0 to 6',
      fallbackText: '5 for letters, 3 for at most 6 digits, else 1',
      services: ['dispatch'],
      sentence: 'Type of number of every sender.',
    },
    {
      key: 'sourceNpi',
      suffix: 'SOURCE_NPI',
      kind: 'text',
      pattern: /^(?:[0134689]|10|14|18)$/,
      meaning: '0, 1, 3, 4, 6, 8, 9, 10, 14 or 18',
      fallbackText: '1 for a number of more than 6 digits, else 0',
      services: ['dispatch'],
      sentence: 'Numbering plan of every sender.',
    },
    {
      key: 'longMessages',
      suffix: 'LONG_MESSAGES',
      kind: 'text',
      pattern: /^(?:udh|sar|payload)$/,
      meaning: 'udh, sar or payload',
      fallbackText: 'udh',
      services: ['dispatch'],
      sentence:
        'How a text of several parts is sent: with headers, with sar_* parameters, or whole.',
    },
    {
      key: 'defaultAlphabet',
      suffix: 'DEFAULT_ALPHABET',
      kind: 'text',
      pattern: /^(?:gsm|ascii|latin1)$/,
      meaning: 'gsm, ascii or latin1',
      fallbackText: 'gsm',
      services: ['dispatch'],
      sentence: 'What the SMSC reads in data_coding 0. A text that it lacks is sent as UCS-2.',
    },
    {
      key: 'messageIds',
      suffix: 'MESSAGE_IDS',
      kind: 'text',
      pattern: /^(?:same|hex-decimal|decimal-hex)$/,
      meaning: 'same, hex-decimal or decimal-hex',
      fallbackText: 'same',
      services: ['dispatch'],
      sentence: 'How the SMSC writes a message’s id in its answer and in receipts.',
    },
    {
      key: 'errorReasons',
      suffix: 'ERROR_REASONS',
      kind: 'text',
      pattern: ERROR_REASONS,
      meaning:
        '<code>=<reason> separated by commas, for example 0dc=absent_subscriber,0x0400=no_route',
      fallbackText: 'none: each SMSC has its own codes',
      services: ['dispatch'],
      sentence: 'Reasons of the SMSC’s own codes: err of receipts, and statuses as 0x and digits.',
    },
  ],
  // Ten is what an SMSC takes without an agreement.
  capacity: { concurrency: 10, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['ESME_RUNKNOWNERR', 'UNKNOWN'],
  platformFaults: PLATFORM_FAULTS,
  cost: { per: 'segment', stated: 'invoice' },
  async create(account, context) {
    const { SmppAdapter } = await import('./smpp.adapter.js');
    const { settings } = account;
    const isTls = settings.security === 'tls';
    const numberOf = (text: string | undefined) => (text ? Number(text) : null);
    return new SmppAdapter({
      ...accountOf(account, smpp, context),
      logger: context.logger,
      host: settings.host ?? '',
      port: numberOf(settings.port) ?? (isTls ? TLS_PORT : PORT),
      tls: isTls ? {} : null,
      systemId: settings.systemId ?? '',
      password: settings.password ?? '',
      systemType: settings.systemType ?? '',
      addresses: {
        sourceTon: numberOf(settings.sourceTon),
        sourceNpi: numberOf(settings.sourceNpi),
      },
      longMessages: (settings.longMessages || 'udh') as LongMessages,
      defaultAlphabet: (settings.defaultAlphabet || 'gsm') as DefaultAlphabet,
      messageIds: (settings.messageIds || 'same') as MessageIds,
      errorReasons: parseErrorReasons(settings.errorReasons ?? ''),
    });
  },
};
