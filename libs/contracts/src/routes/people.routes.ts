import {
  ChangePasswordBody,
  LogInBody,
  RedeemPasswordResetBody,
  SignUpBody,
} from '../http/account.schema.js';
import { SessionAnswer } from '../openapi/answer.schema.js';
import { routesOf } from './route.js';

/** Of 43 characters, as every token of sessions, invitations and resets. */
const EXAMPLE_TOKEN = 'Zm9yIGFuIGV4YW1wbGUsIG5vdCBhIHJlYWwgdG9rZW4';
const EXAMPLE_PASSWORD = 'correct horse battery staple';

export const peopleRoutes = routesOf(
  { tag: 'Accounts', guard: 'auth', limits: { errorType: 'rate_limit_exceeded' } },
  {
    signUp: {
      at: 'POST /auth/signup',
      summary: 'Create an account',
      description: 'Creates a user and a workspace, or joins the workspace of an invitation.',
      body: SignUpBody,
      answer: SessionAnswer,
      errors: ['conflict', 'permission_error', 'rate_limited'],
      example: { email: 'ada@example.com', password: EXAMPLE_PASSWORD, workspace_name: 'Acme' },
    },
    logIn: {
      at: 'POST /auth/login',
      summary: 'Create a session',
      description: 'Sets the session cookie and answers the CSRF token of the session.',
      body: LogInBody,
      answer: SessionAnswer,
      errors: ['authentication_error'],
      example: { email: 'ada@example.com', password: EXAMPLE_PASSWORD },
    },
    redeemPasswordReset: {
      at: 'POST /auth/password/reset',
      summary: 'Set a new password with a reset token',
      description:
        'Ends every session of the user. The token comes from ' +
        '`POST /operator/v1/users/{id}/password-reset`.',
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
      description: 'Ends the session of the cookie and clears the cookie.',
      status: 204,
    },
  },
);
