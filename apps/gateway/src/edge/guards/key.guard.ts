import { ApiError, ERROR_MESSAGES, hasRateBySecond, limitErrorType } from '@watchword/contracts';
import type { RateLimiter, Verdict } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { hashToken, isApiToken, readBearer } from '../../accounts/keys/api-token.js';
import type { Caller, KeyDirectory } from '../../accounts/keys/key-directory.port.js';
import { permits } from '../../accounts/keys/permission.policy.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { tooManyRequests } from '../../limits/take-or-refuse.js';
import { anonymousCounter, callerCounters, remainingOf } from '../../limits/limit-table.policy.js';
import type { PlatformSettingsHolder } from '../../limits/platform-settings.js';
import { setContext } from '../request/request-context.js';

export interface GatedRoute {
  /** As it was registered, for example `/v1/otp/:id`. */
  path: string;
  /** For what anybody may read: a key that is not valid is then no key. */
  keyOptional: boolean;
}

/** The refusal, if there is one. */
export type Refusal = ApiError | undefined;

/**
 * The way into every `/v1` route: whose key, then the limits of IP, key and workspace, then what
 * the key may do. Runs before the body is read, so that a stranger cannot make the process parse
 * one. Everything that is in memory is decided without waiting for a turn of the event loop.
 */
export class KeyGuard {
  constructor(
    private readonly keys: KeyDirectory,
    private readonly limiter: RateLimiter,
    private readonly settings: PlatformSettingsHolder,
    private readonly trustedProxies: number,
  ) {}

  enter(request: FastifyRequest, route: GatedRoute): Refusal | Promise<Refusal> {
    const found = this.findCaller(request);
    if (!(found instanceof Promise)) return this.count(request, found, route);
    return found.then((caller) => this.count(request, caller, route));
  }

  private findCaller(request: FastifyRequest): Caller | null | Promise<Caller | null> {
    const token = readBearer(request.headers.authorization);
    if (token === undefined || !isApiToken(token)) return null;
    return this.keys.find(hashToken(token));
  }

  private count(
    request: FastifyRequest,
    caller: Caller | null,
    route: GatedRoute,
  ): Refusal | Promise<Refusal> {
    const ip = clientIpOf(request, this.trustedProxies);
    const counters = caller
      ? callerCounters(caller, ip, this.settings.current, hasRateBySecond(route.path))
      : [anonymousCounter(ip, this.settings.current)];
    const verdict = this.limiter.take(counters);
    if (!(verdict instanceof Promise)) return conclusion(request, caller, route, verdict);
    return verdict.then((reached) => conclusion(request, caller, route, reached));
  }
}

function conclusion(
  request: FastifyRequest,
  caller: Caller | null,
  route: GatedRoute,
  verdict: Verdict,
): Refusal {
  // First of all, because refusals are told in the language of the workspace.
  const remaining = verdict.admitted ? remainingOf(verdict.remaining) : null;
  if (caller !== null) setContext(request, { caller, remaining });
  if (!verdict.admitted) return tooManyRequests(verdict, limitErrorType(route.path));
  if (route.keyOptional) return undefined;
  if (caller === null) return new ApiError('authentication_error');
  if (caller.workspace.isSuspended) {
    return new ApiError('permission_error', { message: ERROR_MESSAGES.workspaceSuspended });
  }
  if (!permits(caller.permission, route.path)) return new ApiError('permission_error');
  return undefined;
}
