import { DnsServer } from '../dns/dns.server.js';
import type { RecordStore } from '../dns/record.store.js';
import type { DueTimers } from '../receipts/due-timers.js';
import type { ScenarioStore } from '../scenarios/scenario.store.js';
import type { MailboxStore } from './mailbox.store.js';
import { ReportClient, type SmtpAddress } from './report.client.js';
import { SmtpSink } from './smtp-sink.js';

export interface MailParts {
  readonly mailbox: MailboxStore;
  readonly records: RecordStore;
  readonly scenarios: ScenarioStore;
  readonly timers: DueTimers;
}

export interface MailOptions {
  readonly host: string;
  readonly smtpPort: number;
  readonly dnsPort: number;
  /** Servers that receive mail for return paths. */
  readonly bounceExchangers: readonly SmtpAddress[];
  readonly defaultReceiptDelayMs: number;
}

export interface Mail {
  readonly smtp: SmtpAddress;
  /** `host:port`. */
  readonly dns: string;
  close(): Promise<void>;
}

/** Starts the relay and the name server. */
export async function startMail(parts: MailParts, options: MailOptions): Promise<Mail> {
  const { host, smtpPort, dnsPort, bounceExchangers, defaultReceiptDelayMs } = options;
  const { mailbox, records, scenarios, timers } = parts;
  const reports = new ReportClient(bounceExchangers, timers);
  const sink = new SmtpSink({ mailbox, scenarios, reports, defaultReceiptDelayMs });
  const names = new DnsServer(records, host);
  const close = async (): Promise<void> => {
    reports.close();
    await Promise.all([sink.close(), names.close()]);
  };
  const listening = [sink.listen(host, smtpPort), names.listen(host, dnsPort)] as const;
  try {
    const [smtp, dns] = await Promise.all(listening);
    const place = host.includes(':') ? `[${host}]` : host;
    return { smtp: { host, port: smtp }, dns: `${place}:${dns}`, close };
  } catch (error) {
    await Promise.allSettled(listening);
    await close();
    throw error;
  }
}
