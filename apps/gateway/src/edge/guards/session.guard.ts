import { Inject, Injectable } from '@nestjs/common';
import { HttpSettings } from '@watchword/config';
import {
  ApiError,
  asId,
  ERROR_MESSAGES,
  type KeyMode,
  type PlatformSettings,
} from '@watchword/contracts';
import type { Counter, RateLimiter } from '@watchword/rate-limit';
import { brandOf } from '@watchword/telephony';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { WorkspaceStore } from '../../accounts/workspaces/workspace.store.js';
import type { Session } from '../../people/account.js';
import { isCsrfToken, isToken, tokenHash } from '../../people/session-token.js';
import { Sessions } from '../../people/sessions.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { CountedLookUps } from '../../limits/counted-lookups.js';
import {
  anonymousCounter,
  authCounter,
  operatorCounter,
  sessionCounter,
} from '../../limits/limit-table.policy.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { PlatformSettingsHolder } from '../../limits/platform-settings.js';
import { takeOrRefuse, tooManyRequests } from '../../limits/take-or-refuse.js';
import { maybeSessionOf, sessionOf, setSession } from '../request/request-context.js';
import { readSessionCookie } from '../request/session-cookie.js';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type CounterOf = (session: Session, ip: string, platform: PlatformSettings) => Counter;

const counterOfMember: CounterOf = (_, ip, platform) => sessionCounter(ip, platform);

/** Sessions of customers cannot use up the limit of operators. */
const counterOfOperator: CounterOf = ({ member }, ip, platform) =>
  member.user.isOperator ? operatorCounter(ip) : sessionCounter(ip, platform);

function asksToReveal({ query }: FastifyRequest): boolean {
  return (query as Record<string, unknown>)['reveal'] !== undefined;
}

function isSafe(request: FastifyRequest): boolean {
  return SAFE_METHODS.has(request.method);
}

/** Guard of `/dashboard`: the session, the limit of the address, and the CSRF token. */
@Injectable()
export class SessionGuard {
  private readonly lookUps: CountedLookUps<Session>;

  constructor(
    private readonly sessions: Sessions,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly settings: PlatformSettingsHolder,
    private readonly http: HttpSettings,
    private readonly workspaces: WorkspaceStore,
  ) {
    this.lookUps = new CountedLookUps(limiter);
  }

  async enter(request: FastifyRequest): Promise<void> {
    const session = await this.count(request);
    if (!session) throw noSession();
    this.accept(request, session);
  }

  /**
   * Returns the caller of a route for keys. The guard of keys counts the request; `checkForgery` comes
   * after it, so that a forged call uses up a limit, too.
   */
  async enterAsKey(request: FastifyRequest, mode: string): Promise<Caller> {
    const session = await this.find(request);
    if (!session) throw noSession();
    setSession(request, session);
    if (isKeyMode(mode)) return this.callerOf(session, mode);
    const ip = clientIpOf(request, this.http.trustedProxies);
    await this.take(sessionCounter(ip, this.settings.current));
    throw badMode();
  }

  /** Refuses a change that a page of another site may have made the browser send. */
  checkForgery(request: FastifyRequest): void {
    if (!isSafe(request)) checkCsrfToken(request, sessionOf(request));
  }

  /** Returns the caller again once the body is here: its session may have ended. Counts nothing. */
  async lookAgainAsKey(request: FastifyRequest, mode: KeyMode): Promise<Caller> {
    await this.lookAgain(request);
    return this.callerOf(sessionOf(request), mode);
  }

  /** A session acts as a key with full permission, because every member may create one. */
  private async callerOf({ member }: Session, mode: KeyMode): Promise<Caller> {
    const { membershipId, workspaceId } = member;
    const workspace = await this.workspaces.find(workspaceId);
    if (!workspace) throw noSession();
    const { name, suspension } = workspace;
    return {
      keyId: asId(membershipId),
      last4: '',
      mode,
      permission: 'full',
      workspace: { ...workspace, brand: brandOf(name), isSuspended: suspension !== null },
    };
  }

  /** Guard of `/operator/v1` for calls with a session. */
  async enterOperator(request: FastifyRequest): Promise<void> {
    const session = await this.count(request, counterOfOperator);
    if (!session?.member.user.isOperator) throw noOperator();
    // A link on another page can make a browser read, too, and what is revealed is recorded under the operator's name.
    if (asksToReveal(request)) checkCsrfToken(request, session);
    this.accept(request, session);
  }

  /** Looks the session up again once the body is here: it may have been withheld. Counts nothing. */
  async lookAgain(request: FastifyRequest): Promise<void> {
    const session = await this.sessions.find(maybeSessionOf(request)?.token);
    if (!session) throw noSession();
    setSession(request, session);
  }

  /** Does so for an operator. The token of the platform has no session, and cannot be revoked. */
  async lookAgainForOperator(request: FastifyRequest): Promise<void> {
    const known = maybeSessionOf(request);
    if (!known) return;
    const session = await this.sessions.find(known.token);
    if (!session?.member.user.isOperator) throw noOperator();
    setSession(request, session);
  }

  private accept(request: FastifyRequest, session: Session): void {
    setSession(request, session);
    this.checkForgery(request);
  }

  /** Returns the session of the request, and counts the request: that of a session at `counterOf`. */
  async count(
    request: FastifyRequest,
    counterOf: CounterOf = counterOfMember,
  ): Promise<Session | null> {
    const session = await this.find(request);
    const ip = clientIpOf(request, this.http.trustedProxies);
    if (session) await this.take(counterOf(session, ip, this.settings.current));
    return session;
  }

  /** Returns the session of the request. Without one, the request counts as anonymous. */
  private async find(request: FastifyRequest): Promise<Session | null> {
    const ip = clientIpOf(request, this.http.trustedProxies);
    const anonymous = anonymousCounter(ip, this.settings.current);
    const token = readSessionCookie(request);
    if (token === undefined || !isToken(token)) {
      await this.take(anonymous);
      return null;
    }
    const look = () => this.sessions.find(token);
    const { found, verdict } = await this.lookUps.find(tokenHash(token), anonymous, look);
    if (verdict && !verdict.admitted) throw tooManyRequests(verdict, 'rate_limit_exceeded');
    if (!verdict && !found) await this.take(anonymous);
    return found;
  }

  /** Guard of `/auth`, which is called without a session. */
  async enterAuth(request: FastifyRequest): Promise<void> {
    const ip = clientIpOf(request, this.http.trustedProxies);
    await this.take(authCounter(ip, this.settings.current));
  }

  private take(counter: Counter): Promise<void> {
    return takeOrRefuse(this.limiter, [counter], 'rate_limit_exceeded');
  }
}

export function noSession(): ApiError {
  return new ApiError('authentication_error', {
    message: ERROR_MESSAGES.noSession,
  });
}

function isKeyMode(mode: string): mode is KeyMode {
  return mode === 'live' || mode === 'test';
}

function badMode(): ApiError {
  return new ApiError('validation_error', {
    field: 'X-Watchword-Mode',
    message: ERROR_MESSAGES.badMode,
  });
}

export function noOperator(): ApiError {
  return new ApiError('authentication_error', { message: ERROR_MESSAGES.noOperator });
}

/**
 * Checks the CSRF token. Another site can make a browser send the cookie, but does not know the
 * token.
 */
export function checkCsrfToken(request: FastifyRequest, session: Session): void {
  const given = request.headers['x-csrf-token'];
  if (typeof given === 'string' && isCsrfToken(given, session.token)) return;
  throw new ApiError('permission_error', {
    field: 'X-CSRF-Token',
    message: ERROR_MESSAGES.csrfToken,
  });
}

/** Checks `Origin`, which is optional because programs send none. A proxy must pass on the host. */
export function checkOrigin(request: FastifyRequest, trustedProxies: number): void {
  const { origin, host, 'x-forwarded-host': forwarded } = request.headers;
  if (origin === undefined) return;
  const hosts = trustedProxies > 0 ? [host, String(forwarded)] : [host];
  if (URL.canParse(origin) && hosts.includes(new URL(origin).host)) return;
  throw new ApiError('permission_error', {
    field: 'Origin',
    message: ERROR_MESSAGES.foreignOrigin,
  });
}
