import type { EmailReport } from '@watchword/contracts';
import type { Recipient } from './email.js';

/**
 * Milliseconds. Mail servers fetch images and links while they accept an email. People are slower.
 */
const MACHINE_OPEN_MS = 2_000;
const MACHINE_CLICK_MS = 1_500;

/**
 * Marks a hit soon after the delivery as a machine's, even if it claims to be a browser, and so one
 * before any server has accepted the copy.
 */
export function judgedByTime(report: EmailReport, recipient: Recipient): EmailReport {
  const since = recipient.deliveredAt ?? recipient.sentAt;
  const afterMs = since === null ? 0 : Date.parse(report.occurred_at) - since.getTime();
  const { open, click } = report;
  if (open && afterMs < MACHINE_OPEN_MS) {
    return { ...report, open: { ...open, machine_open: true } };
  }
  if (click && afterMs < MACHINE_CLICK_MS) {
    return { ...report, click: { ...click, machine_click: true } };
  }
  return report;
}
