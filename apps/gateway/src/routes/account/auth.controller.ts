import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { LogInBody, SignUpBody } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditedCalls } from '../../edge/interceptors/audit.interceptor.js';
import { sendJson } from '../../edge/request/request-context.js';
import { noSession } from '../../edge/guards/session.guard.js';
import { compileBody } from '../../edge/pipes/validation.policy.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { WorkspaceRecords } from '../../accounts/workspaces/workspace-records.handler.js';
import { accountEmail, type Member, type Session } from '../../accounts/people/account.js';
import { AccountsHandler } from '../../accounts/people/accounts.handler.js';
import { FailureLimit } from '../../limits/failure-limit.js';
import {
  clearSessionCookie,
  readSessionCookie,
  setSessionCookie,
} from '../../edge/request/session-cookie.js';
import { csrfTokenOf } from '../../accounts/people/session-token.js';
import { SESSION_SECONDS, Sessions } from '../../accounts/people/sessions.js';

const readSignUpBody = compileBody(SignUpBody);
const readLogInBody = compileBody(LogInBody);

/** `/auth`: accounts and sessions. */
@Controller('auth')
export class AuthController {
  private readonly trustedProxies: number;

  constructor(
    @Inject(AccountsHandler) private readonly accounts: AccountsHandler,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(FailureLimit) private readonly failures: FailureLimit,
    @Inject(WorkspaceRecords) private readonly workspaces: WorkspaceRecords,
    @Inject(AuditedCalls) private readonly calls: AuditedCalls,
    @Inject(PLATFORM) platform: Platform,
  ) {
    this.trustedProxies = platform.config.trustedProxies;
  }

  @Post('signup')
  async signUp(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = readSignUpBody(request.body);
    const member = await this.guarded(request, body.email, () => this.accounts.signUp(body));
    await this.openSession(request, reply, member);
  }

  @Post('login')
  async logIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = readLogInBody(request.body);
    const member = await this.guarded(request, body.email, () => this.accounts.logIn(body));
    await this.openSession(request, reply, member);
  }

  /** Also without a session: whoever asks wants to be logged out, and is. */
  @Post('logout')
  async logOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const session = await this.sessions.find(readSessionCookie(request));
    if (session) {
      await this.calls.run(request, actorOf(session.member), 204, async () => {
        await this.sessions.close(session);
        return {};
      });
    }
    clearSessionCookie(request, reply, this.trustedProxies);
    reply.code(204).send();
  }

  @Get('me')
  async me(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const session = await this.sessions.find(readSessionCookie(request));
    if (!session) throw noSession();
    await this.answer(request, reply, session);
  }

  private guarded(
    request: FastifyRequest,
    email: string,
    work: () => Promise<Member>,
  ): Promise<Member> {
    const ip = clientIpOf(request, this.trustedProxies);
    return this.failures.during(ip, accountEmail(email), work);
  }

  private async openSession(
    request: FastifyRequest,
    reply: FastifyReply,
    member: Member,
  ): Promise<void> {
    let session: Session | undefined;
    await this.calls.run(request, actorOf(member), 200, async () => {
      session = await this.sessions.open(member);
      return { effect: { role: member.role } };
    });
    const { token } = session as Session;
    setSessionCookie(request, reply, token, SESSION_SECONDS, this.trustedProxies);
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
      user: { user_id: user.id, email: user.email, name: user.name, role },
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
