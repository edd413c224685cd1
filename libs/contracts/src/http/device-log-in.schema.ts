import { type Static, Type } from '@sinclair/typebox';
import { words } from '../shapes.js';
import { KeyMode, KeyPermission } from './operator.schema.js';

/** Log-ins that one address of a client starts in an hour. */
export const DEVICE_LOG_INS_PER_HOUR = 20;
/** User codes that a member looks up, confirms or denies in a minute. */
export const USER_CODES_PER_MINUTE = 10;
export const DEVICE_LOG_IN_SECONDS = 600;
export const POLL_INTERVAL_SECONDS = 5;

/** Consonants, so that no code is a word and none is misread: RFC 8628, 6.1. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
export const USER_CODE_LENGTH = 8;

/** Any text a person may type for a code; spaces, hyphens and case do not count. */
const UserCode = Type.String({ minLength: 1, maxLength: 20 });

export const StartDeviceLogInBody = Type.Object({
  client_name: Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\x20-\\x7e]+$' }),
});
export type StartDeviceLogInBody = Static<typeof StartDeviceLogInBody>;

export const DeviceTokenBody = Type.Object({
  device_code: Type.String({ minLength: 1, maxLength: 100 }),
});
export type DeviceTokenBody = Static<typeof DeviceTokenBody>;

export const DeviceLogInQuery = Type.Object({ user_code: UserCode });
export type DeviceLogInQuery = Static<typeof DeviceLogInQuery>;

export const ApproveDeviceBody = Type.Object({
  user_code: UserCode,
  mode: KeyMode,
  permission: Type.Optional(KeyPermission),
});
export type ApproveDeviceBody = Static<typeof ApproveDeviceBody>;

export const DenyDeviceBody = Type.Object({ user_code: UserCode });
export type DenyDeviceBody = Static<typeof DenyDeviceBody>;

export const DeviceLogInStarted = Type.Object({
  device_code: Type.String(),
  user_code: Type.String(),
  verification_uri: Type.String(),
  verification_uri_complete: Type.String(),
  expires_in: Type.Integer(),
  interval: Type.Integer(),
});

export const DeviceLogIn = Type.Object({
  user_code: Type.String(),
  client_name: Type.String(),
  client_ip: Type.String(),
  created_at: Type.String(),
  expires_at: Type.String(),
});

export const DevicePoll = Type.Object({
  status: words('authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'approved'),
  /** Only with `approved`. Only this answer contains the key. */
  key: Type.Optional(Type.String()),
  mode: Type.Optional(KeyMode),
  permission: Type.Optional(KeyPermission),
});
export type DevicePollStatus = Static<typeof DevicePoll>['status'];
