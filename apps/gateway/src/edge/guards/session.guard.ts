import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Session } from '../../accounts/people/account.js';
import { readSessionCookie } from '../request/session-cookie.js';
import { isCsrfToken } from '../../accounts/people/session-token.js';
import type { Sessions } from '../../accounts/people/sessions.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { takeOrRefuse } from '../../limits/take-or-refuse.js';
import { anonymousCounter, authCounter, sessionCounter } from '../../limits/limit-table.policy.js';
import type { PlatformSettingsHolder } from '../../limits/platform-settings.js';
import { setSession } from '../request/request-context.js';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isSafe(request: FastifyRequest): boolean {
  return SAFE_METHODS.has(request.method);
}

/** The way into `/dashboard`: whose session, the limit of the address, and the CSRF token. */
export class SessionGuard {
  constructor(
    private readonly sessions: Sessions,
    private readonly limiter: RateLimiter,
    private readonly settings: PlatformSettingsHolder,
    private readonly trustedProxies: number,
  ) {}

  async enter(request: FastifyRequest): Promise<void> {
    const session = await this.count(request);
    if (!session) throw noSession();
    if (!isSafe(request)) checkCsrfToken(request, session);
    setSession(request, session);
  }

  /** Whose request it is, counted. */
  async count(request: FastifyRequest): Promise<Session | null> {
    const session = await this.sessions.find(readSessionCookie(request));
    const ip = clientIpOf(request, this.trustedProxies);
    const counter = session
      ? sessionCounter(ip, this.settings.current)
      : anonymousCounter(ip, this.settings.current);
    await takeOrRefuse(this.limiter, [counter], 'rate_limit_exceeded');
    return session;
  }

  /** `/auth`, where people come without a session to get one. */
  async enterAuth(request: FastifyRequest): Promise<void> {
    const ip = clientIpOf(request, this.trustedProxies);
    const counter = authCounter(ip, this.settings.current);
    await takeOrRefuse(this.limiter, [counter], 'rate_limit_exceeded');
  }
}

export function noSession(): ApiError {
  return new ApiError('authentication_error', {
    message: ERROR_MESSAGES.noSession,
  });
}

/** Another site can make a browser send the cookie, but does not know the token. */
export function checkCsrfToken(request: FastifyRequest, session: Session): void {
  const given = request.headers['x-csrf-token'];
  if (typeof given === 'string' && isCsrfToken(given, session.token)) return;
  throw new ApiError('permission_error', {
    field: 'X-CSRF-Token',
    message: ERROR_MESSAGES.csrfToken,
  });
}

/** `Origin` is optional, because programs send none. A proxy has to pass on the host. */
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
