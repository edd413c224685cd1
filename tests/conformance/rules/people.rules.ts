/** Decisions 28: trust between people. */
import { section } from '../rule.ts';

const invitations = 'apps/gateway/test/invitations';
const bounds = 'apps/gateway/test/account-email-bounds';
const floors = 'apps/gateway/test/setting-floors';
const keys = 'apps/gateway/test/keys-of-leavers';
const people = 'tests/api/people';
const matrix = 'apps/gateway/test/matrix';
const signUps = 'apps/gateway/test/sign-up';

export const peopleRules = [
  section('Decisions 28: people', [
    [
      'decisions 28 invitations',
      'are one for each address, listed and withdrawn by owners, and end with the membership',
      `${invitations}: lists open invitations, without their tokens, and withdraws them`,
      `${invitations}: replaces the open one of the address, in any spelling`,
      `${invitations}: ends with the removal of the member to whose address it went`,
      `${invitations}: is refused with the same words, used, expired or never made`,
    ],
    [
      'decisions 28 bounds of invitations',
      'are 50 a day for a workspace, and those of sign-ups for an address',
      `${invitations}: makes at most 50 invitations a UTC day, of those that succeed`,
      `${signUps}: count members who join by invitation, and no taken address`,
    ],
    [
      'decisions 28 keys of a person who leaves',
      'are revoked at the next request or kept, as the removal says, and show who made them',
      `${keys}: shows who made it, to members and to the operator`,
      `${keys}: is removed once it is said what becomes of them`,
      `${keys}: goes with all keys, which the next request finds refused`,
      `${keys}: goes without them`,
      `${people}: decisions 28: withdraws invitations, and asks what becomes of a leaver’s keys`,
    ],
    [
      'decisions 28 floors',
      'of three settings are the operator’s; owners are stricter, and null removes a floor',
      `${floors}: that the operator set is a floor: the owner may be stricter, not looser`,
      `${floors}: is the stricter of both values, and the owner’s own once the floor is removed`,
      `${floors}: holds against an owner’s change at the same time`,
      `${people}: decisions 28: is no looser than the operator’s floor`,
    ],
    [
      'decisions 28 account emails',
      'are at most five an hour and twenty a day to one mailbox, in silence',
      `${bounds}: are five an hour, of all kinds and to all spellings together; more are dropped in silence`,
      `${bounds}: are twenty a day`,
      'tests/api/account-emails: decisions 28: is one of five emails an hour to a mailbox, and asked for in vain afterwards',
    ],
    [
      'decisions 28 members',
      'read webhook secrets and make live keys; the audit is for owners',
      `${matrix}: refuses and admits every credential at every route as decided`,
    ],
  ]),
];
