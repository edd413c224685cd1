import type { SendRequest } from '@watchword/contracts';

/** A monthly quota of segments is for live SMS; one-time passwords are paid by the wallet. */
export function isGrantable(send: Pick<SendRequest, 'kind' | 'test_mode'>): boolean {
  return send.kind === 'sms' && !send.test_mode;
}
