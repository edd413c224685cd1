import { mccMncOf } from '../../handset/network.js';
import type { NativeCodes } from '../../outcomes/magic-number.policy.js';
import type { Code, Receipt } from '../../outcomes/outcome.js';

const REFUSALS: Readonly<Record<number, string>> = {
  401: 'RiskHold',
  402: 'InvalidSenderId',
  403: 'InvalidPhoneNumber',
  404: 'UnsupportedNumberType',
  405: 'InsufficientBalance',
  406: 'UserInBlacklist',
  407: 'CouldNotRoute',
  409: 'DoNotDisturbRejection',
  500: 'InternalServerError',
  501: 'GatewayError',
  502: 'RejectedByGateway',
};

const NO_ROUTE_CODE = 407;

/** Codes by the last two digits of a magic number. */
export const AFRICAS_TALKING_NATIVE_CODES: NativeCodes = {
  10: { fail: 'UserDoesNotExist' },
  11: { fail: 'AbsentSubscriber' },
  12: { fail: 'DeliveryFailure' },
  13: { fail: 'UserAccountSuspended' },
  14: { fail: 'Rejected' },
  15: { refuse: 402 },
  16: { refuse: NO_ROUTE_CODE },
  17: { fail: 'DeliveryFailure' },
  18: { refuse: 502 },
  19: { fail: 'Expired' },
  20: { refuse: 406 },
  21: { fail: 'DoNotDisturbRejection' },
  22: { refuse: 404 },
  23: { fail: 'Xyz' },
  24: { refuse: 401 },
  25: { refuse: 403 },
  27: { refuse: 405 },
};

export interface Refusal {
  readonly statusCode: number;
  readonly status: string;
}

/** Returns a refusal by its number or its name. */
export function refusalOf(code: Code = NO_ROUTE_CODE): Refusal {
  const named = Object.entries(REFUSALS).find(([, name]) => name === code);
  const statusCode = Number(named?.[0] ?? code);
  if (Number.isNaN(statusCode)) return { statusCode: NO_ROUTE_CODE, status: String(code) };
  return { statusCode, status: REFUSALS[statusCode] ?? 'Unknown' };
}

const FINAL_STATUSES = new Set<Code>(['Rejected', 'Failed', 'AbsentSubscriber', 'Expired']);

/** Returns status and reason. A code is either a status or a reason. */
export function reportStatus({ outcome, code }: Receipt): Record<string, string> {
  if (outcome === 'delivered') return { status: 'Success' };
  if (outcome === 'buffered') return { status: 'Buffered' };
  if (code === undefined) return { status: 'Failed', failureReason: 'DeliveryFailure' };
  if (FINAL_STATUSES.has(code)) return { status: String(code) };
  const status = code === 'DoNotDisturbRejection' ? 'Rejected' : 'Failed';
  return { status, failureReason: String(code) };
}

/** The network of a number, or the carrier's own "no network known". */
export function networkCodeOf(to: string): string {
  return mccMncOf(to) ?? '99999';
}
