import type { EmailSubmit } from '../email-provider.port.js';
import { SmtpAdapter, type SmtpSettings } from './smtp.adapter.js';

/** Returns the submit of a copy, as dispatch makes it. */
export function submitOf(raw: Buffer, deadlineMs: number): EmailSubmit {
  return {
    emailId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e12',
    recipient: 0,
    attempt: 1,
    returnPath: 'bounce+abc@send.b.example',
    to: 'ada@example.com',
    raw,
    deadlineMs,
  };
}

/** Returns an adapter for a relay on this machine, in plain text and without a login by default. */
export function adapterTo(port: number, settings: Partial<SmtpSettings> = {}): SmtpAdapter {
  return new SmtpAdapter({
    id: 'smtp',
    host: '127.0.0.1',
    port,
    security: 'none',
    username: '',
    password: '',
    ehloName: '',
    capacity: { concurrency: 8, messagesPerSecond: null, waitingMax: 8 },
    ...settings,
  });
}
