import { type Reason, REASONS } from '@watchword/contracts';
import type { CarrierReport } from '../provider.port.js';

/** Statuses of a session without a bind. */
const LOST_BIND = [0x03, 0x04, 0x05];

/** `command_status`, the name of the specification without `ESME_`, and our reason. */
const STATUSES: ReadonlyArray<readonly [status: number, name: string, reason: Reason]> = [
  [0x01, 'RINVMSGLEN', 'message_invalid'],
  [0x02, 'RINVCMDLEN', 'message_invalid'],
  [0x03, 'RINVCMDID', 'provider_unavailable'],
  [0x04, 'RINVBNDSTS', 'provider_unavailable'],
  [0x05, 'RALYBND', 'provider_unavailable'],
  [0x06, 'RINVPRTFLG', 'message_invalid'],
  [0x07, 'RINVREGDLVFLG', 'message_invalid'],
  [0x08, 'RSYSERR', 'provider_unavailable'],
  [0x0a, 'RINVSRCADR', 'sender_id_rejected'],
  [0x0b, 'RINVDSTADR', 'invalid_number'],
  [0x0d, 'RBINDFAIL', 'provider_rejected'],
  [0x0e, 'RINVPASWD', 'provider_rejected'],
  [0x0f, 'RINVSYSID', 'provider_rejected'],
  [0x14, 'RMSGQFUL', 'throttled'],
  [0x15, 'RINVSERTYP', 'provider_rejected'],
  [0x33, 'RINVNUMDESTS', 'message_invalid'],
  [0x34, 'RINVDLNAME', 'message_invalid'],
  [0x40, 'RINVDESTFLAG', 'message_invalid'],
  [0x42, 'RINVSUBREP', 'message_invalid'],
  [0x43, 'RINVESMCLASS', 'message_invalid'],
  [0x45, 'RSUBMITFAIL', 'carrier_rejected'],
  [0x48, 'RINVSRCTON', 'sender_id_rejected'],
  [0x49, 'RINVSRCNPI', 'sender_id_rejected'],
  [0x50, 'RINVDSTTON', 'invalid_number'],
  [0x51, 'RINVDSTNPI', 'invalid_number'],
  [0x53, 'RINVSYSTYP', 'provider_rejected'],
  [0x54, 'RINVREPFLAG', 'message_invalid'],
  [0x55, 'RINVNUMMSGS', 'message_invalid'],
  [0x58, 'RTHROTTLED', 'throttled'],
  [0x61, 'RINVSCHED', 'message_invalid'],
  [0x62, 'RINVEXPIRY', 'message_invalid'],
  [0x63, 'RINVDFTMSGID', 'message_invalid'],
  [0x64, 'RX_T_APPN', 'network_error'],
  [0x65, 'RX_P_APPN', 'carrier_rejected'],
  [0x66, 'RX_R_APPN', 'carrier_rejected'],
  [0xc0, 'RINVOPTPARSTREAM', 'message_invalid'],
  [0xc1, 'ROPTPARNOTALLWD', 'message_invalid'],
  [0xc2, 'RINVPARLEN', 'message_invalid'],
  [0xc3, 'RMISSINGOPTPARAM', 'message_invalid'],
  [0xc4, 'RINVOPTPARAMVAL', 'message_invalid'],
  [0xfe, 'RDELIVERYFAILURE', 'network_error'],
  [0xff, 'RUNKNOWNERR', 'unknown_error'],
  [0x100, 'RSERTYPUNAUTH', 'provider_rejected'],
  [0x101, 'RPROHIBITED', 'provider_rejected'],
  [0x102, 'RSERTYPUNAVAIL', 'provider_unavailable'],
  [0x103, 'RSERTYPDENIED', 'provider_rejected'],
  [0x104, 'RINVDCS', 'message_invalid'],
  [0x105, 'RINVSRCADDRSUBUNIT', 'sender_id_rejected'],
  [0x106, 'RINVDSTADDRSUBUNIT', 'invalid_number'],
];
const BY_STATUS = new Map(STATUSES.map(([status, name, reason]) => [status, { name, reason }]));

/** Statuses of `message_invalid` that can come from the text: its length and its data coding. */
const OF_TEXTS = [0x01, 0x104];
/** Names of statuses about members of a `submit_sm` that no caller decides. */
export const PLATFORM_FAULTS: readonly string[] = STATUSES.filter(
  ([status, , reason]) => reason === 'message_invalid' && !OF_TEXTS.includes(status),
).map(([status]) => statusName(status));

/** `command_status` by name, for answers to the SMSC. */
export const STATUS = {
  ok: 0x00,
  invalidCommand: 0x03,
  temporarilyUnable: 0x64,
  refusedForGood: 0x65,
} as const;

/** Returns `ESME_RTHROTTLED`, or `0x0400` for a status of the SMSC’s own. */
export function statusName(status: number): string {
  const known = BY_STATUS.get(status);
  return known ? `ESME_${known.name}` : `0x${status.toString(16).padStart(4, '0')}`;
}

/** Returns whether the SMSC says that the session has no bind, so that a new one is needed. */
export function isBindLost(status: number): boolean {
  return LOST_BIND.includes(status);
}

/** Returns whether the SMSC refuses the account, so that another try does not help. */
export function isAccountRefused(status: number): boolean {
  return BY_STATUS.get(status)?.reason === 'provider_rejected';
}

/** Returns whether the SMSC takes no more for now. */
export function isThrottling(status: number): boolean {
  return status === 0x14 || status === 0x58;
}

/** Reasons by an SMSC’s own codes: statuses as `0x0400`, error codes of receipts without zeros. */
export type ErrorReasons = ReadonlyMap<string, Reason>;

/** Reasons that are ours to give, and no carrier's. */
const OURS: readonly Reason[] = [
  'antispam_blocked',
  'all_providers_failed',
  'max_attempts_exceeded',
  'provider_timeout',
];
const GIVEN: readonly Reason[] = REASONS.filter((one) => !OURS.includes(one));

/** Returns whether a value is an object of codes, each with a reason that a carrier can give. */
export function areErrorReasons(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([code, reason]) => /^[0-9A-Za-z]{1,8}$/.test(code) && GIVEN.includes(reason as Reason),
  );
}

export function errorReasonsOf(reasons: Readonly<Record<string, Reason>>): ErrorReasons {
  return new Map(
    Object.entries(reasons).map(([code, reason]) => {
      const status = /^0x([0-9a-f]+)$/i.exec(code)?.[1];
      const key = status === undefined ? errorKey(code) : statusKey(Number.parseInt(status, 16));
      return [key, reason];
    }),
  );
}

export function refusalReason(status: number, own: ErrorReasons): Reason {
  return own.get(statusKey(status)) ?? BY_STATUS.get(status)?.reason ?? 'unknown_error';
}

function statusKey(status: number): string {
  return `0x${status.toString(16)}`;
}

/** `0DC` and `dc` are one code. A code of zeros is none. */
function errorKey(error: string): string {
  return error.toLowerCase().replace(/^0+/, '');
}

export interface ReportMeaning {
  readonly state: CarrierReport['state'];
  readonly reason: Reason | null;
  readonly rawCode: string;
}

/**
 * Words of a receipt by their state, in the form of the specification, in the whole word, and as
 * SMSCs cut it.
 */
const INTERIM =
  /^(?:EN_?ROUTE|ACCEPT|ACCEPTE?D|SCHEDULE?D?|BUFFERE?D|QUEUED|PENDING|SENT|SUBMIT(?:TE)?D?)$/;
const DELIVERED = /^DELIVE?RE?D$/;

/** Failed states, and the reason of one without an error code. */
const FAILED: ReadonlyArray<readonly [word: RegExp, reason: Reason]> = [
  [/^EXPIRE?D$/, 'expired'],
  [/^(?:DELETE?D|CANCELL?E?D)$/, 'carrier_rejected'],
  [/^(?:UNDELIV|UNDELIVE?RE?D|UNDELIVERABLE|FAIL|FAILED|FAILURE)$/, 'network_error'],
  [/^(?:REJECT(?:E?D)?|SKIPPED)$/, 'carrier_rejected'],
  [/^UNKNOWN$/, 'unknown_error'],
];
/** Failed states that say nothing about the cause. */
const WITHOUT_CAUSE: readonly Reason[] = ['network_error', 'unknown_error'];

function failureOf(state: string): Reason | undefined {
  return FAILED.find(([word]) => word.test(state))?.[1];
}

/**
 * Returns what a receipt means. An error code in the account’s map says more than the state.
 * An undelivered message with a code that the map lacks has an unknown reason, so that the code is
 * logged as unmapped. A word that is not known is not final, and is logged in the same way.
 */
export function reportMeaning(state: string, error: string, own: ErrorReasons): ReportMeaning {
  if (DELIVERED.test(state)) return { state: 'delivered', reason: null, rawCode: state };
  if (INTERIM.test(state)) return { state: 'enroute', reason: null, rawCode: state };
  const usual = failureOf(state);
  if (usual === undefined) return { state: 'enroute', reason: 'unknown_error', rawCode: state };
  const key = errorKey(error);
  if (key === '') return { state: 'failed', reason: usual, rawCode: state };
  const rawCode = `${state} ${error}`;
  const otherwise = WITHOUT_CAUSE.includes(usual) ? 'unknown_error' : usual;
  const reason = usual === 'expired' ? usual : (own.get(key) ?? otherwise);
  return { state: 'failed', reason, rawCode };
}
