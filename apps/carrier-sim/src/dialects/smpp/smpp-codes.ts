import type { NativeCodes } from '../../outcomes/magic-number.policy.js';
import type { Code, Receipt } from '../../outcomes/outcome.js';

/** `command_status` by the names of the specification. */
export const STATUS = {
  ESME_ROK: 0x00,
  ESME_RINVMSGLEN: 0x01,
  ESME_RINVCMDLEN: 0x02,
  ESME_RINVCMDID: 0x03,
  ESME_RINVBNDSTS: 0x04,
  ESME_RALYBND: 0x05,
  ESME_RSYSERR: 0x08,
  ESME_RINVSRCADR: 0x0a,
  ESME_RINVDSTADR: 0x0b,
  ESME_RBINDFAIL: 0x0d,
  ESME_RINVPASWD: 0x0e,
  ESME_RINVSYSID: 0x0f,
  ESME_RMSGQFUL: 0x14,
  ESME_RINVESMCLASS: 0x43,
  ESME_RSUBMITFAIL: 0x45,
  ESME_RINVSRCTON: 0x48,
  ESME_RINVDSTTON: 0x50,
  ESME_RTHROTTLED: 0x58,
  ESME_RINVSCHED: 0x61,
  ESME_RINVEXPIRY: 0x62,
  ESME_RX_T_APPN: 0x64,
  ESME_RX_P_APPN: 0x65,
  ESME_RX_R_APPN: 0x66,
  ESME_RDELIVERYFAILURE: 0xfe,
  ESME_RUNKNOWNERR: 0xff,
  ESME_RSERTYPUNAUTH: 0x100,
  ESME_RPROHIBITED: 0x101,
  ESME_RINVDCS: 0x104,
} as const;

/**
 * Codes by the last two digits of a magic number. SMPP has none for an opt-out (20). 27 is an
 * account without the service.
 */
export const SMPP_NATIVE_CODES: NativeCodes = {
  10: { fail: 'UNDELIV 255' },
  11: { fail: 'UNDELIV 0dc' },
  12: { fail: 'UNDELIV 254' },
  13: { fail: 'UNDELIV 20d' },
  14: { fail: 'REJECTD' },
  15: { refuse: 'ESME_RINVSRCADR' },
  16: { fail: 'REJECTD' },
  17: { fail: 'UNDELIV 222' },
  18: { fail: 'REJECTD' },
  19: { fail: 'EXPIRED' },
  21: { fail: 'UNDELIV 0d2' },
  22: { refuse: 'ESME_RINVDSTADR' },
  23: { fail: 'UNDELIV 9999' },
  24: { fail: 'REJECTD' },
  25: { refuse: 'ESME_RINVDSTADR' },
  27: { refuse: 'ESME_RSERTYPUNAUTH' },
};

/**
 * Returns the status of a refusal: a name with or without `ESME_`, or a number. SMPP has no status
 * for a missing route: without a code, the submit fails.
 */
export function statusOf(code: Code = 'ESME_RSUBMITFAIL'): number {
  const name = `ESME_${String(code).replace(/^ESME_/, '')}`;
  const named = Object.entries(STATUS).find(([known]) => known === name)?.[1];
  const status = named ?? Number(code);
  return Number.isInteger(status) && status > 0 ? status : STATUS.ESME_RUNKNOWNERR;
}

/** Returns the status with which an SMSC says what the HTTP status says. */
export function statusOfHttp(http: number): number {
  if (http === 401 || http === 403) return STATUS.ESME_RPROHIBITED;
  return http === 429 ? STATUS.ESME_RTHROTTLED : STATUS.ESME_RSYSERR;
}

/** `message_state` by the word in a receipt’s text. */
const STATES: Readonly<Record<string, number>> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
};

export interface ReceiptState {
  readonly word: string;
  readonly number: number;
  /** Three or more characters; `000` for none. */
  readonly error: string;
}

/** A code is a state, an error code, or both, as `UNDELIV 0dc`. */
export function receiptState({ outcome, code = 'UNDELIV' }: Receipt): ReceiptState {
  if (outcome === 'delivered') return stateOf('DELIVRD', '000');
  if (outcome !== 'failed') return stateOf('ENROUTE', '000');
  const [first = '', second] = String(code).split(/\s+/);
  if (STATES[first] !== undefined) return stateOf(first, second ?? '000');
  return stateOf('UNDELIV', first.padStart(3, '0'));
}

function stateOf(word: string, error: string): ReceiptState {
  return { word, number: STATES[word]!, error };
}
