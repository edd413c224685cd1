import {
  ApiError,
  inputMessage,
  type MemberRole,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { parseMailbox, storedAddress } from '@watchword/email';

export interface User {
  id: UserId;
  /** In lower case; its domain in ASCII. */
  email: string;
  name: string;
  /** Whether the user followed the link of a confirmation email. */
  isEmailConfirmed: boolean;
  /** Whether the user's sessions reach the operator API. */
  isOperator: boolean;
}

/** A user in one workspace. */
export interface Member {
  membershipId: string;
  workspaceId: WorkspaceId;
  user: User;
  role: MemberRole;
  joinedAt: Date;
}

/** A successful log-in: the member, and the hash of the password that was compared or set. */
export interface Admission {
  member: Member;
  passwordHash: string;
}

/** A user's log-in to one workspace. */
export interface Session {
  token: string;
  member: Member;
  expiresAt: Date;
}

/** Returns the address as records keep it. Throws for a domain that cannot exist, which the schema's pattern lets pass. */
export function newAddress(email: string): string {
  const parsed = parseMailbox(email);
  if (parsed.ok) return parsed.mailbox.address.toLowerCase();
  const message = inputMessage('email', parsed.problem);
  throw new ApiError('validation_error', { field: 'email', message });
}

/** Returns the mailbox of an address, independent of its spelling: in ASCII, without a `+tag`. */
export function countedAddress(email: string): string {
  return storedAddress(email).replace(/\+[^@]*@/, '@');
}
