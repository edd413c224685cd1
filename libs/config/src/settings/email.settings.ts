import { IpAddresses, Text, Url, WholeNumber } from '../kinds.js';
import { Setting } from '../setting.js';

/** A host name in lower case, with a dot. */
const HOST_NAME =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * `accounts@acme.example` or `Acme <accounts@acme.example>`. The name has no characters that need
 * quotes.
 */
const MAILBOX =
  /^(?:[\w.+-]{1,64}@[a-z0-9.-]{4,190}|[\p{L}\p{N}][\p{L}\p{N} '!?&-]{0,63} <[\w.+-]{1,64}@[a-z0-9.-]{4,190}>)$/u;

/** Settings of sending domains and of reports about emails. */
export class EmailSettings {
  @Setting(
    'INBOUND_SMTP_PORT',
    'Port of the SMTP listener that receives bounces and complaints; 0 turns it off.',
    { readBy: ['gateway'], fallbackText: '0, or any free port (embedded only)' },
  )
  @WholeNumber(0, 65_535)
  readonly inboundSmtpPort: number = 0;

  @Setting(
    'INBOUND_SMTP_HOST',
    'Address that listener listens on; 0.0.0.0 opens it to the network.',
    { readBy: ['gateway'] },
  )
  @Text()
  readonly inboundSmtpHost: string = '127.0.0.1';

  @Setting('DNS_SERVERS', 'Name servers that the records of sending domains are looked up at.', {
    readBy: ['dispatch'],
    fallbackText: 'those of the machine',
  })
  @IpAddresses()
  readonly dnsServers: readonly string[] = [];

  @Setting(
    'BOUNCE_DOMAIN',
    'Host that takes bounces on port 25, and domain of return paths; it needs A, MX and SPF records.',
    { readBy: ['dispatch'], fallbackText: 'none' },
  )
  @Text('a host name', HOST_NAME)
  readonly bounceDomain: string = '';

  @Setting(
    'TRACKING_HOST',
    'Host of the gateway in links that count opens and clicks, over HTTPS; CNAME target of links.<domain>.',
    { readBy: ['dispatch', 'gateway'], fallbackText: 'none' },
  )
  @Text('a host name', HOST_NAME)
  readonly trackingHost: string = '';

  @Setting(
    'PLATFORM_EMAIL_FROM',
    'Sender of emails to users: password resets and confirmations; unset, operators hand out the tokens.',
    { readBy: ['gateway'], fallbackText: 'none, or the simulator’s domain (embedded only)' },
  )
  @Text('a mailbox, for example Acme <accounts@acme.example>', MAILBOX)
  readonly platformEmailFrom: string = '';

  @Setting(
    'PUBLIC_BASE_URL',
    'Address at which people reach the gateway, in links of those emails and in `doc_url` of errors.',
    {
      readBy: ['gateway'],
      fallbackText: 'CALLBACK_BASE_URL',
    },
  )
  @Url('http', 'https')
  readonly publicBaseUrl: string = '';
}
