import { createTransport } from 'nodemailer';
import type { Receipt } from '../outcomes/outcome.js';
import { type DueTimers, REPORT_RETRIES_MS } from '../receipts/due-timers.js';
import { type ReportedEmail, reportMessage } from './report-message.js';

/** Address of a mail exchanger. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
}

/** Mails reports to the return path, as a receiver's server does. */
export class ReportClient {
  private readonly transports;
  private closed = false;

  /** `exchangers` are tried in turn. Without any, no report is sent. */
  constructor(
    private readonly exchangers: readonly SmtpAddress[],
    private readonly timers: DueTimers,
  ) {
    this.transports = exchangers.map(({ host, port }) =>
      createTransport({ host, port, pool: true, ignoreTLS: true, maxConnections: 2 }),
    );
  }

  schedule(email: ReportedEmail, receipt: Receipt): void {
    if (this.exchangers.length === 0 || email.returnPath === '') return;
    const message = reportMessage(email, receipt);
    this.timers.schedule(receipt.afterMs, () => void this.send(email, message, receipt, 0));
  }

  close(): void {
    this.closed = true;
    for (const transport of this.transports) transport.close();
  }

  private async send(
    email: ReportedEmail,
    raw: string,
    receipt: Receipt,
    attempt: number,
  ): Promise<void> {
    const { returnPath } = email;
    // A forger uses a mail program: the address is known, but not the format of server reports.
    const from = receipt.forged ? 'mallory@sim.test' : '';
    const transport = this.transports[attempt % this.transports.length]!;
    try {
      await transport.sendMail({ envelope: { from, to: [returnPath] }, raw });
    } catch (error) {
      const { responseCode = 0 } = error as { responseCode?: number };
      const retryMs = REPORT_RETRIES_MS[attempt];
      if (this.closed || responseCode >= 500 || retryMs === undefined) return;
      this.timers.schedule(retryMs, () => void this.send(email, raw, receipt, attempt + 1));
    }
  }
}
