import { Inject, Injectable } from '@nestjs/common';
import { HttpSettings } from '@watchword/config';
import { ApiError, ERROR_MESSAGES, type Route } from '@watchword/contracts';
import type { Counter, RateLimiter, Verdict } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import {
  hashToken,
  isApiToken,
  readBasicPassword,
  readBearer,
} from '../../accounts/keys/api-token.js';
import { BatchedKeyDirectory } from '../../accounts/keys/batched-key-directory.adapter.js';
import type { Caller, KeyDirectory } from '../../accounts/keys/key-directory.port.js';
import { keyMistake } from '../../accounts/keys/key-mistake.policy.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { CountedLookUps } from '../../limits/counted-lookups.js';
import { anonymousCounter, callerCounters, remainingOf } from '../../limits/limit-table.policy.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { SendAdmission } from '../../limits/send-admission.js';
import { PlatformSettingsHolder } from '../../limits/platform-settings.js';
import { tooManyRequests } from '../../limits/take-or-refuse.js';
import { contextOf, setContext } from '../request/request-context.js';

/** The facts of a route that this guard reads. */
export type KeyRoute = Pick<Route, 'guard' | 'isSend' | 'limits' | 'permissions' | 'basicAuth'>;

/** The refusal, if there is one. */
export type Refusal = ApiError | undefined;

/**
 * Guard of every `/v1` route: the key's caller, then the limits of IP, key and workspace, then the
 * key's permission. It runs before the body is read, so that an unauthenticated client cannot make the process
 * parse one.
 */
const hashes = Symbol('hash of the token');

interface HashCarrier {
  [hashes]?: string;
}

@Injectable()
export class KeyGuard {
  private readonly lookUps: CountedLookUps<Caller>;

  constructor(
    @Inject(BatchedKeyDirectory) private readonly keys: KeyDirectory,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly settings: PlatformSettingsHolder,
    private readonly http: HttpSettings,
    private readonly admission: SendAdmission,
  ) {
    this.lookUps = new CountedLookUps(limiter);
  }

  enter(request: FastifyRequest, route: KeyRoute): Refusal | Promise<Refusal> {
    const { authorization } = request.headers;
    const token = route.basicAuth ? readBasicPassword(authorization) : readBearer(authorization);
    if (token === undefined || !isApiToken(token)) return this.count(request, null, route);
    const tokenHash = hashToken(token);
    (request as HashCarrier)[hashes] = tokenHash;
    return this.lookUp(request, tokenHash, route);
  }

  /**
   * Decides again once the body is here, so that a client which withholds its last byte does not
   * outlive its key. Counts nothing.
   */
  lookAgain(request: FastifyRequest, route: KeyRoute): Refusal | Promise<Refusal> {
    const context = contextOf(request);
    const tokenHash = (request as HashCarrier)[hashes];
    if (!context?.caller || tokenHash === undefined) return undefined;
    return this.keys.find(tokenHash).then((caller) => this.decideAgain(request, caller, route));
  }

  /** Decides again about a caller that was just looked up. */
  decideAgain(request: FastifyRequest, caller: Caller | null, route: KeyRoute): Refusal {
    const remaining = contextOf(request)?.remaining ?? null;
    setContext(request, { ...contextOf(request), remaining, caller: caller ?? undefined });
    return permission(request, caller, route);
  }

  /** Admits a session, which the caller stands for. */
  async enterAs(request: FastifyRequest, caller: Caller, route: KeyRoute): Promise<Refusal> {
    return this.overload(request, caller, route) ?? this.count(request, caller, route);
  }

  private overload(request: FastifyRequest, caller: Caller | null, route: KeyRoute): Refusal {
    if (!caller || !route.isSend || barrier(caller, route)) return undefined;
    const refusal = this.admission.refusal(caller.workspace.id);
    if (refusal) setContext(request, { caller, remaining: null });
    return refusal;
  }

  private async lookUp(
    request: FastifyRequest,
    tokenHash: string,
    route: KeyRoute,
  ): Promise<Refusal> {
    const counter = this.anonymousCounter(request);
    const look = () => this.keys.find(tokenHash);
    const { found, verdict } = this.keys.isNew(tokenHash)
      ? { found: await look() }
      : await this.lookUps.find(tokenHash, counter, look);
    if (verdict) return conclusion(request, null, route, verdict);
    // Before it is counted: a send that is refused here has used up no limit.
    return this.overload(request, found, route) ?? this.count(request, found, route);
  }

  private count(
    request: FastifyRequest,
    caller: Caller | null,
    route: KeyRoute,
  ): Refusal | Promise<Refusal> {
    const verdict = this.limiter.take(this.counters(request, caller, route));
    if (!(verdict instanceof Promise)) return conclusion(request, caller, route, verdict);
    return verdict.then((reached) => conclusion(request, caller, route, reached));
  }

  private counters(request: FastifyRequest, caller: Caller | null, route: KeyRoute): Counter[] {
    if (caller === null) return [this.anonymousCounter(request)];
    const ip = clientIpOf(request, this.http.trustedProxies);
    return callerCounters(caller, ip, this.settings.current, route.limits.bySecond === true);
  }

  private anonymousCounter(request: FastifyRequest): Counter {
    return anonymousCounter(clientIpOf(request, this.http.trustedProxies), this.settings.current);
  }
}

function conclusion(
  request: FastifyRequest,
  caller: Caller | null,
  route: KeyRoute,
  verdict: Verdict,
): Refusal {
  // First, because a refusal is in the language of the workspace.
  const remaining = verdict.admitted ? remainingOf(verdict.remaining) : null;
  if (caller !== null) setContext(request, { caller, remaining });
  if (!verdict.admitted) {
    const limited = tooManyRequests(verdict, route.limits.errorType);
    const isInBand = route.limits.inBand === true && caller !== null && !barrier(caller, route);
    if (!isInBand) return limited;
    setContext(request, { caller, remaining, limited });
    return undefined;
  }
  return permission(request, caller, route);
}

function permission(request: FastifyRequest, caller: Caller | null, route: KeyRoute): Refusal {
  if (route.guard === 'optional-key') return undefined;
  if (caller === null) {
    return new ApiError('authentication_error', { message: keyMistake(request.headers) });
  }
  return barrier(caller, route);
}

/** Returns why a known caller may not use this route, apart from limits. */
function barrier(caller: Caller, route: KeyRoute): Refusal {
  if (caller.workspace.isSuspended) {
    return new ApiError('permission_error', { message: ERROR_MESSAGES.workspaceSuspended });
  }
  if (!route.permissions.includes(caller.permission)) return new ApiError('permission_error');
  return undefined;
}
