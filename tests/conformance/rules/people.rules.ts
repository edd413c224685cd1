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
      `${people}: decisions 28: an owner lists open invitations without their tokens and withdraws them`,
      `${invitations}: an invitation replaces the open one of the address, in any spelling`,
      `${invitations}: an invitation ends when the member of its address is removed`,
      `${invitations}: a used, expired or unknown invitation is refused with the same words`,
    ],
    [
      'decisions 28 bounds of invitations',
      'are 50 a day for a workspace, and those of sign-ups for an address',
      `${invitations}: a workspace makes at most 50 invitations a UTC day; refused requests do not count`,
      `${signUps}: the limit of sign-ups counts members who join by invitation, and no taken address`,
    ],
    [
      'decisions 28 keys of a person who leaves',
      'are revoked at the next request or kept, as the removal says, and show who made them',
      `${keys}: a member who is removed with keys=keep leaves working keys`,
      `${people}: decisions 28: the removal of a member who made live keys needs a choice, and revokes all of them`,
    ],
    [
      'decisions 28 floors',
      'of three settings are the operator’s; owners are stricter, and null removes a floor',
      `${floors}: a setting with a floor is the stricter of both values, and the owner’s own once the floor is removed`,
      `${floors}: a floor holds against a concurrent change by the owner`,
      `${people}: decisions 28: an owner may set %s stricter than the operator did, not looser`,
    ],
    [
      'decisions 28 account emails',
      'are at most five an hour and twenty a day to one mailbox, in silence',
      `${bounds}: a mailbox gets five emails an hour, of all kinds and in all spellings together; more are dropped in silence`,
      `${bounds}: a mailbox gets twenty emails a day`,
    ],
    [
      'decisions 28 members',
      'read webhook secrets and make live keys; the audit is for owners',
      `${matrix}: refuses and admits every credential at every route as decided`,
    ],
  ]),
];
