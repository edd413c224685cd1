import type { Reason } from '@watchword/contracts';
import {
  checked,
  host,
  integer,
  Member,
  oneOf,
  port,
  SmsAccountSettings,
  text,
} from '../account-settings.js';
import { accountOf, type Carrier } from '../carrier.js';
import { SUBMIT_DEADLINES } from '../http/outcome.policy.js';
import type { DefaultAlphabet } from './delivery-text.js';
import type { LongMessages } from './message-parts.js';
import type { MessageIds } from './receipt.js';
import { areErrorReasons, errorReasonsOf, PLATFORM_FAULTS } from './status-map.js';

const PORT = 2_775;
const TLS_PORT = 3_550;

class SmppSettings extends SmsAccountSettings {
  @Member(
    text('at most 15 ASCII characters without a space', /^[\x21-\x7e]{1,15}$/),
    'Name of the account at the SMSC.',
    { required: true },
  )
  readonly systemId: string = '';

  @Member(text(), 'Password of that account.', { required: true, secret: true })
  readonly password: string = '';

  @Member(host, 'Host of the SMSC.', { required: true, simulated: 'address' })
  readonly host: string = '';

  @Member(port, 'Port of the SMSC.', {
    fallbackText: `${PORT}, or ${TLS_PORT} with security tls`,
    simulated: 'address',
  })
  readonly port: number | null = null;

  @Member(oneOf('tls', 'none'), 'How the connection is encrypted.', {
    fallbackText: 'none: the connection needs a private network',
    simulated: 'address',
  })
  readonly security: 'tls' | 'none' = 'none';

  @Member(
    text('at most 12 ASCII characters without a space', /^[\x21-\x7e]{1,12}$/),
    'Type of system that some SMSCs want in the bind.',
    { fallbackText: 'empty' },
  )
  readonly systemType: string = '';

  @Member(integer(0, 6), 'Type of number of every sender.', {
    fallbackText: '5 for letters, 3 for at most 6 digits, else 1',
  })
  readonly sourceTon: number | null = null;

  @Member(
    checked('0, 1, 3, 4, 6, 8, 9, 10, 14 or 18', (value) =>
      [0, 1, 3, 4, 6, 8, 9, 10, 14, 18].includes(value as number),
    ),
    'Numbering plan of every sender.',
    { fallbackText: '1 for a number of more than 6 digits, else 0' },
  )
  readonly sourceNpi: number | null = null;

  @Member(
    oneOf('udh', 'sar', 'payload'),
    'How a text of several parts is sent: with headers, with sar_* parameters, or whole.',
  )
  readonly longMessages: LongMessages = 'udh';

  @Member(
    oneOf('gsm', 'ascii', 'latin1'),
    'What the SMSC reads in data_coding 0. A text that it lacks is sent as UCS-2.',
  )
  readonly defaultAlphabet: DefaultAlphabet = 'gsm';

  @Member(
    oneOf('same', 'hex-decimal', 'decimal-hex'),
    'How the SMSC writes a message’s id in its answer and in receipts.',
  )
  readonly messageIds: MessageIds = 'same';

  @Member(
    checked(
      'an object of codes with their reasons, such as {"0dc": "absent_subscriber"}',
      areErrorReasons,
    ),
    'Reasons of the SMSC’s own codes: err of receipts, and statuses as 0x and digits.',
    { fallbackText: 'none: each SMSC has its own codes' },
  )
  readonly errorReasons: Readonly<Record<string, Reason>> = {};
}

/** An SMSC or aggregator that speaks SMPP 3.4. */
export const smpp: Carrier<SmppSettings> = {
  token: 'smpp',
  title: 'SMPP 3.4',
  settings: SmppSettings,
  // Ten is what an SMSC takes without an agreement.
  capacity: { concurrency: 10, messagesPerSecond: null, waitingMax: 256 },
  deadlines: SUBMIT_DEADLINES,
  unexplained: ['ESME_RUNKNOWNERR', 'UNKNOWN'],
  platformFaults: PLATFORM_FAULTS,
  cost: { per: 'segment', stated: 'invoice' },
  async create(account, context) {
    const { SmppAdapter } = await import('./smpp.adapter.js');
    const { settings } = account;
    return new SmppAdapter({
      ...accountOf(account, smpp, context),
      logger: context.logger,
      host: settings.host,
      port: settings.port ?? (settings.security === 'tls' ? TLS_PORT : PORT),
      tls: settings.security === 'tls' ? {} : null,
      systemId: settings.systemId,
      password: settings.password,
      systemType: settings.systemType,
      addresses: { sourceTon: settings.sourceTon, sourceNpi: settings.sourceNpi },
      longMessages: settings.longMessages,
      defaultAlphabet: settings.defaultAlphabet,
      messageIds: settings.messageIds,
      errorReasons: errorReasonsOf(settings.errorReasons),
    });
  },
};
