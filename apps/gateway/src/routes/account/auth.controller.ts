import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  ApiError,
  type ChangePasswordBody,
  type ConfirmEmailBody,
  ERROR_MESSAGES,
  type Language,
  type LogInBody,
  type LogInByLinkBody,
  type Outcome,
  type RedeemPasswordResetBody,
  type RequestPasswordResetBody,
  routes,
  type SignUpBody,
} from '@watchword/contracts';
import { storedAddress } from '@watchword/email';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditedCalls } from '../../edge/interceptors/audit.interceptor.js';
import { sendJson } from '../../edge/request/request-context.js';
import { checkCsrfToken, checkOrigin, noSession } from '../../edge/guards/session.guard.js';
import { AnswerLanguage, Body, SessionOf } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { WorkspaceRecords } from '../../accounts/workspaces/workspace-records.handler.js';
import type { Admission, Member, Session } from '../../people/account.js';
import { AccountEmails } from '../../people/account-emails.js';
import { AccountsHandler } from '../../people/accounts.handler.js';
import { ConfirmEmailHandler } from '../../people/confirm-email.handler.js';
import { Devices } from '../../people/devices.js';
import { useLogInLink } from '../../people/log-in-link.js';
import { PasswordsHandler } from '../../people/passwords.handler.js';
import { attemptKeys, FailureLimit, sessionAttemptKeys } from '../../limits/failure-limit.js';
import {
  cameByLoopback,
  clearSessionCookie,
  readDeviceCookie,
  readSessionCookie,
  setDeviceCookie,
  setSessionCookie,
} from '../../edge/request/session-cookie.js';
import { csrfTokenOf } from '../../people/session-token.js';
import { SESSION_SECONDS, Sessions } from '../../people/sessions.js';

const EMAIL_REQUESTED = { status: 'requested' } as const;

/** `/auth`: accounts and sessions. */
@Controller()
export class AuthController {
  private readonly trustedProxies: number;

  constructor(
    @Inject(AccountsHandler) private readonly accounts: AccountsHandler,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Devices) private readonly devices: Devices,
    @Inject(PasswordsHandler) private readonly passwords: PasswordsHandler,
    @Inject(AccountEmails) private readonly emails: AccountEmails,
    @Inject(ConfirmEmailHandler) private readonly confirming: ConfirmEmailHandler,
    @Inject(FailureLimit) private readonly failures: FailureLimit,
    @Inject(WorkspaceRecords) private readonly workspaces: WorkspaceRecords,
    @Inject(AuditedCalls) private readonly calls: AuditedCalls,
    @Inject(PLATFORM) private readonly platform: Platform,
  ) {
    this.trustedProxies = platform.config.trustedProxies;
  }

  @Operation(routes.signUp)
  async signUp(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: SignUpBody,
    @AnswerLanguage() language: Language,
  ): Promise<void> {
    const requester = { ip: clientIpOf(request, this.trustedProxies), language };
    await this.enter(request, reply, body.email, () => this.accounts.signUp(body, requester));
  }

  @Operation(routes.logIn)
  async logIn(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: LogInBody,
  ): Promise<void> {
    await this.enter(request, reply, body.email, () => this.accounts.logIn(body));
  }

  /** Only a browser on the machine that printed the link can use it. */
  @Operation(routes.logInByLink)
  async logInByLink(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() { token }: LogInByLinkBody,
  ): Promise<void> {
    const isNear = cameByLoopback(request, this.trustedProxies);
    const owner = isNear ? useLogInLink(this.platform, token) : null;
    if (!owner) {
      throw new ApiError('validation_error', { field: 'token', message: ERROR_MESSAGES.usedLink });
    }
    await this.openSession(request, reply, await this.accounts.logInByLink(owner), null);
  }

  /** Without a session there is nothing to end, and the answer is the same. */
  @Operation(routes.logOut)
  async logOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    checkOrigin(request, this.trustedProxies);
    const session = await this.sessions.find(readSessionCookie(request));
    if (session) {
      checkCsrfToken(request, session);
      await this.calls.run(request, actorOf(session.member), 204, async () => {
        await this.sessions.close(session);
        return {};
      });
    }
    clearSessionCookie(request, reply, this.trustedProxies);
    reply.code(204).send();
  }

  @Operation(routes.changePassword)
  changePassword(
    @SessionOf() session: Session,
    @Body() body: ChangePasswordBody,
  ): Promise<Outcome> {
    return this.failures.during(sessionAttemptKeys(session.member.user.id), () =>
      this.passwords.change(session, body),
    );
  }

  /** The answer and the work are the same for every address. */
  @Operation(routes.requestPasswordReset)
  async forgotPassword(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() { email }: RequestPasswordResetBody,
    @AnswerLanguage() language: Language,
  ): Promise<void> {
    const ip = clientIpOf(request, this.trustedProxies);
    await this.emails.requestReset(email, { ip, language });
    sendJson(request, reply, 202, JSON.stringify(EMAIL_REQUESTED));
  }

  @Operation(routes.confirmEmail)
  async confirmEmail(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: ConfirmEmailBody,
  ): Promise<void> {
    const userId = await this.confirming.ownerOf(body);
    await this.calls.run(request, { kind: 'user', userId, workspaceId: null }, 204, () =>
      this.confirming.confirm(userId, body),
    );
    reply.code(204).send();
  }

  @Operation(routes.resendConfirmation)
  async resendConfirmation(
    @Req() request: FastifyRequest,
    @SessionOf() { member }: Session,
    @AnswerLanguage() language: Language,
  ): Promise<Outcome> {
    const ip = clientIpOf(request, this.trustedProxies);
    await this.emails.requestConfirmation(member.user, { ip, language });
    return { body: EMAIL_REQUESTED, effect: { user_id: member.user.id } };
  }

  @Operation(routes.redeemPasswordReset)
  async resetPassword(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: RedeemPasswordResetBody,
  ): Promise<void> {
    const userId = await this.passwords.ownerOfReset(body);
    await this.calls.run(request, { kind: 'user', userId, workspaceId: null }, 204, () =>
      this.passwords.redeemReset(userId, body),
    );
    reply.code(204).send();
  }

  @Operation(routes.getSession)
  async me(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const session = await this.sessions.find(readSessionCookie(request));
    if (!session) throw noSession();
    await this.answer(request, reply, session);
  }

  /** Logs in. A device is remembered after its first successful log-in. */
  private async enter(
    request: FastifyRequest,
    reply: FastifyReply,
    address: string,
    work: () => Promise<Admission>,
  ): Promise<void> {
    const email = storedAddress(address);
    const ip = clientIpOf(request, this.trustedProxies);
    const device = await this.devices.find(readDeviceCookie(request), address);
    const admission = await this.failures.during(attemptKeys({ ip, email, device }), work);
    const newDevice = device === null ? await this.devices.remember(admission) : null;
    await this.openSession(request, reply, admission, newDevice);
  }

  private async openSession(
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission,
    newDevice: string | null,
  ): Promise<void> {
    let session: Session | undefined;
    const { member } = admission;
    await this.calls.run(request, actorOf(member), 200, async () => {
      session = await this.sessions.open(admission);
      return { effect: { role: member.role } };
    });
    const { token } = session as Session;
    setSessionCookie(request, reply, token, SESSION_SECONDS, this.trustedProxies);
    if (newDevice !== null) setDeviceCookie(request, reply, newDevice, this.trustedProxies);
    await this.answer(request, reply, session as Session);
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
  ): Promise<void> {
    const { member, token, expiresAt } = session;
    const { user, role, workspaceId } = member;
    const body = {
      user: {
        user_id: user.id,
        email: user.email,
        email_confirmed: user.isEmailConfirmed,
        name: user.name,
        role,
        operator: user.isOperator,
      },
      workspace: await this.workspaces.read(workspaceId),
      csrf_token: csrfTokenOf(token),
      expires_at: expiresAt.toISOString(),
    };
    reply.header('cache-control', 'no-store');
    sendJson(request, reply, 200, JSON.stringify(body));
  }
}

function actorOf({ user, workspaceId }: Member) {
  return { kind: 'user', userId: user.id, workspaceId } as const;
}
