import {
  ChangePasswordBody,
  ConfirmEmailBody,
  EMAIL_REQUESTS_PER_HOUR,
  LogInBody,
  LogInByLinkBody,
  MAILBOX_EMAILS_PER_DAY,
  MAILBOX_EMAILS_PER_HOUR,
  RedeemPasswordResetBody,
  RequestPasswordResetBody,
  SIGN_UPS_PER_DAY,
  SignUpBody,
} from '../http/account.schema.js';
import { EmailRequested, SessionAnswer } from '../openapi/answer.schema.js';
import { routesOf } from './route.js';

/** 43 characters, the length of the tokens of sessions, invitations and resets. */
const EXAMPLE_TOKEN = 'Zm9yIGFuIGV4YW1wbGUsIG5vdCBhIHJlYWwgdG9rZW4';
const EXAMPLE_PASSWORD = 'correct horse battery staple';

export const peopleRoutes = routesOf(
  { tag: 'Accounts', guard: 'auth', limits: { errorType: 'rate_limit_exceeded' } },
  {
    signUp: {
      at: 'POST /auth/signup',
      summary: 'Create an account',
      description:
        'Creates a user and a workspace, or joins the workspace of an invitation. ' +
        `At most ${SIGN_UPS_PER_DAY} for each address of a client and UTC day.`,
      body: SignUpBody,
      setsCookie: true,
      answer: SessionAnswer,
      errors: ['conflict', 'permission_error', 'rate_limited'],
      example: { email: 'ada@example.com', password: EXAMPLE_PASSWORD, workspace_name: 'Acme' },
    },
    logIn: {
      at: 'POST /auth/login',
      summary: 'Create a session',
      description: 'Sets the session cookie and answers the CSRF token of the session.',
      body: LogInBody,
      setsCookie: true,
      answer: SessionAnswer,
      errors: ['authentication_error'],
      example: { email: 'ada@example.com', password: EXAMPLE_PASSWORD },
    },
    logInByLink: {
      at: 'POST /auth/link',
      summary: 'Create a session with the link of npm start',
      description:
        'Only on the machine that runs `npm start`, which prints the link to the pages at `/app`. ' +
        'The token works once, and ends with the process.',
      body: LogInByLinkBody,
      setsCookie: true,
      answer: SessionAnswer,
      example: { token: EXAMPLE_TOKEN },
    },
    requestPasswordReset: {
      at: 'POST /auth/password/forgot',
      summary: 'Request a password reset by email',
      description:
        'Sends a link to the address if it has an account. The answer never says whether it has. ' +
        `At most ${MAILBOX_EMAILS_PER_HOUR} emails an hour and ${MAILBOX_EMAILS_PER_DAY} a day go to one mailbox, ` +
        'confirmations and those to `+tags` of it included; ' +
        'more requests get the same answer and send nothing, and earlier links stay good. ' +
        `At most ${EMAIL_REQUESTS_PER_HOUR} requests an hour for each client. ` +
        'Where the platform sends no email (`PLATFORM_EMAIL_FROM`), the answer is 403.',
      body: RequestPasswordResetBody,
      status: 202,
      answer: EmailRequested,
      errors: ['permission_error'],
      example: { email: 'ada@example.com' },
    },
    confirmEmail: {
      at: 'POST /auth/email/confirm',
      summary: 'Confirm an email address',
      description:
        'The token comes from the link in the confirmation email and works once. ' +
        'The workspace of the sign-up is confirmed too and gets its pending trial credits.',
      body: ConfirmEmailBody,
      status: 204,
      example: { confirmation_token: EXAMPLE_TOKEN },
    },
    resendConfirmation: {
      at: 'POST /auth/email/confirmation',
      summary: 'Send the confirmation email again',
      description:
        'The link of the new email replaces older ones. ' +
        `At most ${EMAIL_REQUESTS_PER_HOUR} requests an hour for each client; emails to a mailbox ` +
        'have the limit of `POST /auth/password/forgot`.',
      guard: 'session',
      status: 202,
      answer: EmailRequested,
      errors: ['conflict', 'permission_error'],
    },
    redeemPasswordReset: {
      at: 'POST /auth/password/reset',
      summary: 'Set a new password with a reset token',
      description:
        'Ends every session of the user. The token comes from the link in the email or from ' +
        '`POST /operator/v1/users/{id}/password-reset`, and works once. With `revoke_keys`, also revokes all API keys ' +
        'of workspaces that the sign-up of this user created, ends the sessions of all their members and withdraws ' +
        'their open invitations: choose it if another person signed up with your address.',
      body: RedeemPasswordResetBody,
      status: 204,
      example: { reset_token: EXAMPLE_TOKEN, new_password: EXAMPLE_PASSWORD },
    },
    changePassword: {
      at: 'POST /auth/password',
      summary: 'Update the password',
      description: 'Ends the other sessions of the user.',
      guard: 'session',
      body: ChangePasswordBody,
      status: 204,
      example: { current_password: 'staple battery horse', new_password: EXAMPLE_PASSWORD },
      errors: ['permission_error'],
    },
    getSession: {
      at: 'GET /auth/me',
      summary: 'Retrieve the session',
      description: 'The user, the workspace and the CSRF token of the session cookie.',
      access: 'session',
      answer: SessionAnswer,
    },
    logOut: {
      at: 'POST /auth/logout',
      summary: 'Delete the session',
      description:
        'Ends the session of the cookie and clears the cookie. Without a session the answer is the same. ' +
        'A session needs `X-CSRF-Token`, and an `Origin` that is sent must be that of the service.',
      access: 'optional-session',
      setsCookie: true,
      status: 204,
    },
  },
);
