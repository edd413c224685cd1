/** Decisions 28: trust between people. */
import { section } from '../rule.ts';

const invitations = 'apps/gateway/test/invitations';
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
  ]),
];
