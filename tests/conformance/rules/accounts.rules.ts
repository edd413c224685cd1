/** Decisions 24: accounts and the walls around them. */
import { section } from '../rule.ts';

const signUps = 'apps/gateway/test/sign-up';
const passwords = 'apps/gateway/test/passwords';
const resets = 'apps/gateway/test/password-reset';
const confirmations = 'apps/gateway/test/email-confirmation';
const accountEmails = 'tests/api/account-emails';
const links = 'apps/gateway/test/link-limits';
const floods = 'apps/gateway/test/flood';
const calls = 'libs/rpc/src/tcp/call-server';
const walls = 'apps/gateway/test/operator-walls';

export const accountRules = [
  section('Decisions 24: accounts', [
    [
      'decisions 24 sign-up',
      'makes at most five workspaces for each address and UTC day',
      `${signUps}: are five a day, of successes, and the sixth is 429 until the UTC day ends`,
      `${signUps}: count by /64 of IPv6`,
      `${signUps}: are five also when twenty come at once`,
      'tests/api/accounts: decisions 24: makes at most five workspaces for each address and day',
    ],
    [
      'decisions 24 SIGNUP',
      'asks for an operator’s invitation beyond loopback',
      `${signUps}: needs an invitation by the operator, of this address, once`,
      `${signUps}: closed refuses everyone but members that an owner invites`,
    ],
    [
      'decisions 24 TRIAL_CREDITS',
      'are spent after confirmation beyond loopback',
      `${signUps}: gives trial credits once an operator confirms, and refuses sends until then`,
    ],
    [
      'decisions 24 trial workspaces',
      'share counters of one-time passwords until their first purchase',
      `${signUps}: share five an hour for each number, until a first purchase`,
      `${signUps}: share sixty an hour for each prefix`,
      'tests/api/accounts: decisions 24: shares five one-time passwords an hour and number with the others',
    ],
    [
      'decisions 24 passwords',
      'have 12 characters, are not common, and can be changed and reset',
      `${passwords}: sets it, ends the other sessions, and keeps this one`,
      `${passwords}: by an operator sets a new password once and ends every session`,
      'tests/api/accounts: decisions 24: refuses a common password',
    ],
    [
      'decisions 24 reset by email',
      'is a link to the address, with one answer for known and unknown ones',
      `${resets}: sets a new password once, and ends every session`,
      `${resets}: gets the same answer after the same work for a known and for an unknown address`,
      `${accountEmails}: decisions 24: is set anew by the link in the email, and every session ends`,
    ],
    [
      'decisions 24 revoke_keys',
      'revokes the keys of a workspace that another person founded with the address',
      `${resets}: revokes the keys of that workspace, its sessions and its invitations on request`,
      `${resets}: revokes no key of a workspace that the user only joined`,
      'apps/gateway/src/routes/links/account-page.policy: revokes the keys where its box is checked, and says so',
    ],
    [
      'decisions 24 confirmation',
      'is a link in an email once email exists',
      `${confirmations}: opens live sends with the confirmation`,
      `${accountEmails}: decisions 24: the link confirms the address, once`,
    ],
    [
      'decisions 24 lock-out',
      'is nothing that a stranger can do to a known device',
      `${passwords}: locks out no device that logged in before`,
    ],
    [
      'decisions 24 log-in',
      'does the same work for known and unknown addresses',
      `${passwords}: does the same work for a known and for an unknown address`,
    ],
    [
      'decisions 24 logout',
      'checks the CSRF token, and Origin when it is sent',
      `${passwords}: asks for the CSRF token, and for its own origin when one is sent`,
    ],
    [
      'decisions 24 members',
      'can be removed, and the last owner never',
      `${passwords}: never removes the last owner, also when two remove each other`,
    ],
    [
      'decisions 22 suspended',
      'refuses the keys at once and holds the queue',
      `${walls}: has its keys refused at once on every gateway, until it is lifted`,
      'apps/dispatch/test/suspension: wait, while others pass, and are sent once when the suspension ends',
    ],
    [
      'decisions 22 console',
      'lets operators reach the operator API with their sessions, and is audited with the user',
      'apps/gateway/test/operator-users: reaches the operator API with a session, and stays an owner of a workspace',
      'apps/gateway/test/operator-users: is named by the audit of the platform, and by no audit of a workspace',
      'apps/gateway/test/operator-page: is a page that runs only the scripts of this server',
    ],
    [
      'decisions 22 audit',
      'lists every call of the platform',
      `${walls}: pages through every call, newest first, with its actor and workspace`,
    ],
    [
      'decisions 24 sender names',
      'of banks and operators need an approved registration',
      `${walls}: are refused to live SMS in every spelling, and free in test mode`,
      `${walls}: can be replaced by an operator, at once on every gateway`,
    ],
    ['decisions 24 CSV', 'has no formulas', `${walls}: as CSV gives spreadsheets no formula`],
    [
      'decisions 24 headers',
      'nosniff everywhere, and HSTS behind TLS',
      `${walls}: of %s says nosniff, and HSTS where the proxy was reached by TLS`,
    ],
    [
      'decisions 24 operator paths',
      'are 401 first',
      `${walls}: of %s is 401 without the token, for every method`,
    ],
    [
      'decisions 24 test keys',
      'read the balance and the ledger',
      `${walls}: and the balance can be read with a test key`,
    ],
    [
      'decisions 24 unauthenticated work',
      'is counted before it is done',
      `${floods}: of unknown keys costs one look-up for each request within the limit`,
      `${floods}: of unknown sessions costs one look-up for each request within the limit`,
      `${floods}: of /ready asks the database once a second, and is refused beyond the limit`,
      `${floods}: of %s is refused beyond the limit`,
    ],
    [
      'decisions 24 links of emails',
      'are limited by address; beyond it opens and clicks are answered and not recorded',
      `${links}: an open gets its image and is not recorded`,
      `${links}: a click leads on and is not recorded`,
      `${links}: %s of an unsubscribe link is 429`,
      `${links}: a question of a proxy is 429`,
    ],
    [
      'decisions 24 foreign ids',
      'take the same internal calls as unknown ones',
      'apps/gateway/test/foreign-ids: %s: a foreign id takes the calls of an unknown one',
    ],
    [
      'decisions 24 modes',
      'are walls: an id of the other mode is 404',
      'tests/api/otp-resend: unknown, foreign, of the other mode and no UUID are 404',
      'tests/api/otp-cancel: unknown, foreign, of the other mode and no UUID are 404',
    ],
    [
      'decisions 24 callback secrets',
      'differ by carrier and account',
      'libs/carriers/src/callback-urls: are the same for reports, inbound messages and opt-outs, and differ by account',
      'libs/carriers/src/registry: open to the secret of the account and to no other',
    ],
    [
      'decisions 24 internal calls',
      'authenticate the connection before the first frame; TLS where certificates are given',
      `${calls}: is cut after 64 KiB, before a frame is read`,
      `${calls}: is cut at a call, also one with the right secret`,
      `${calls}: of one service do not open another`,
      `${calls}: calls are encrypted, and a caller without one of the authority is refused`,
    ],
    [
      'decisions 24 ENCRYPTION_KEYS',
      'are a ring: the first key writes, all read, and rotate-keys rewrites',
      'libs/platform/src/key-ring: names the key in the value: the first key writes, all of them read',
      'apps/all-in-one/test/operator: rotate-keys rewrites every value, and the old key can leave the ring',
    ],
  ]),
];
