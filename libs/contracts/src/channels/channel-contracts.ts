import type { ChannelContract, PhoneChannelContract } from './channel-contract.js';
import type { MessageKind, PhoneKind } from './channels.js';
import { EMAIL_CONTRACT } from './email/email.contract.js';
import { OTP_CONTRACT } from './otp/otp.contract.js';
import { SMS_CONTRACT } from './sms/sms.contract.js';

/** The registry of what the services must know of each kind. */
export const PHONE_CONTRACTS: Readonly<Record<PhoneKind, PhoneChannelContract>> = {
  otp: OTP_CONTRACT,
  sms: SMS_CONTRACT,
};
const CONTRACTS: Readonly<Record<MessageKind, ChannelContract>> = {
  ...PHONE_CONTRACTS,
  email: EMAIL_CONTRACT,
};

export function contractOf(kind: MessageKind): ChannelContract {
  return CONTRACTS[kind];
}

/** Returns the contract of a kind that a caller names. Undefined for an unknown kind. */
export function knownContract(kind: string): ChannelContract | undefined {
  return Object.hasOwn(CONTRACTS, kind) ? CONTRACTS[kind as MessageKind] : undefined;
}
