import {
  ApproveDeviceBody,
  DenyDeviceBody,
  DEVICE_LOG_IN_SECONDS,
  DEVICE_LOG_INS_PER_HOUR,
  DeviceLogIn,
  DeviceLogInQuery,
  DeviceLogInStarted,
  DevicePoll,
  DeviceTokenBody,
  POLL_INTERVAL_SECONDS,
  StartDeviceLogInBody,
  USER_CODES_PER_MINUTE,
} from '../http/device-log-in.schema.js';
import { routesOf } from './route.js';

const EXAMPLE_CODE = 'BCDF-GHJK';
const CODES = `At most ${USER_CODES_PER_MINUTE} user codes a minute for each member.`;

/** The log-in of a program without a browser, in the shape of RFC 8628. */
export const deviceRoutes = routesOf(
  { tag: 'Accounts', guard: 'auth', limits: { errorType: 'rate_limit_exceeded' } },
  {
    startDeviceLogIn: {
      at: 'POST /auth/device',
      summary: 'Start a device log-in',
      description:
        'For `watchword login` and other programs without a browser. Show the user code and the address; a member ' +
        `confirms there. It expires after ${DEVICE_LOG_IN_SECONDS} seconds. At most ${DEVICE_LOG_INS_PER_HOUR} an ` +
        'hour for each address of a client.',
      body: StartDeviceLogInBody,
      answer: DeviceLogInStarted,
      example: { client_name: 'ada-laptop' },
    },
    pollDeviceLogIn: {
      at: 'POST /auth/device/token',
      summary: 'Poll a device log-in',
      description:
        'Answers 200 with the state in the words of RFC 8628. `approved` hands the key out, once: the next poll gets ' +
        `\`expired_token\`. Polls within ${POLL_INTERVAL_SECONDS} seconds of the last one get \`slow_down\`. ` +
        '`access_denied`: the member denied it, or has left the workspace.',
      body: DeviceTokenBody,
      answer: DevicePoll,
      example: { device_code: 'Zm9yIGFuIGV4YW1wbGUsIG5vdCBhIHJlYWwgdG9rZW4' },
    },
    getDeviceLogIn: {
      at: 'GET /dashboard/device-logins',
      guard: 'session',
      summary: 'Retrieve a device log-in',
      description: `What asks for a key, before a member confirms. ${CODES}`,
      query: DeviceLogInQuery,
      answer: DeviceLogIn,
    },
    approveDeviceLogIn: {
      at: 'POST /dashboard/device-logins/approve',
      guard: 'session',
      summary: 'Approve a device log-in',
      description:
        'The next poll creates an API key of this workspace with this mode and permission. Its name is that of the ' +
        `client. A log-in is approved or denied once. ${CODES}`,
      body: ApproveDeviceBody,
      status: 204,
      example: { user_code: EXAMPLE_CODE, mode: 'test', permission: 'full' },
    },
    denyDeviceLogIn: {
      at: 'POST /dashboard/device-logins/deny',
      guard: 'session',
      summary: 'Deny a device log-in',
      description: `The next poll gets \`access_denied\`. ${CODES}`,
      body: DenyDeviceBody,
      status: 204,
      example: { user_code: EXAMPLE_CODE },
    },
  },
);
