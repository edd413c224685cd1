import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { HttpSettings } from '@watchword/config';
import type { Logger } from '@watchword/observability';
import { LOGGER } from '@watchword/platform';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AuditStore, type Actor, type Effect } from '../../accounts/audit/audit.store.js';
import type { Outcome } from '../../accounts/audit/outcome.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { answerFor } from '../filters/error-envelope.policy.js';
import {
  markAuditBegun,
  maybeSessionOf,
  operationOf,
  sessionOf,
} from '../request/request-context.js';
import { admit } from '../server/admit.js';

/** Runs calls that must be recorded before they take effect. */
@Injectable()
export class AuditedCalls {
  constructor(
    private readonly audit: AuditStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly http: HttpSettings,
  ) {}

  /**
   * Records a call that was refused before its interceptor, because its body cannot be read.
   * Returns the error to answer.
   */
  async refuse(request: FastifyRequest, error: unknown): Promise<unknown> {
    const { route } = operationOf(request);
    const refusing = this.run(request, actorOf(request), route.status, () => {
      throw error;
    });
    return refusing.catch((answered: unknown) => answered);
  }

  async run(
    request: FastifyRequest,
    actor: Actor,
    status: number,
    work: () => Outcome | Promise<Outcome>,
  ): Promise<Outcome> {
    const record = await this.audit.begin({
      actor,
      requestId: request.id,
      method: request.method,
      path: pathOf(request),
      clientIp: clientIpOf(request, this.http.trustedProxies),
    });
    try {
      const outcome = await work();
      await this.complete(record, status, outcome.effect);
      return outcome;
    } catch (error) {
      const { status: answered, type } = answerFor(error, request.id);
      await this.complete(record, answered, { refused: type });
      throw error;
    }
  }

  /**
   * Stores the outcome. The call has taken effect, so a failure here must not look like its
   * failure.
   */
  private async complete(record: string, status: number, effect?: Effect): Promise<void> {
    await this.audit.complete(record, status, effect).catch((error: unknown) => {
      this.logger.error({ record, status, effect, err: error }, 'audit entry has no outcome');
    });
  }
}

/** Records every call of an operator or a member, refused ones too. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(@Inject(AuditedCalls) private readonly calls: AuditedCalls) {}

  intercept(context: ExecutionContext, next: CallHandler<Outcome>): Observable<Outcome> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    markAuditBegun(request);
    const { route } = operationOf(request);
    const run = this.calls.run(request, actorOf(request), route.status, () => {
      admit(request);
      return lastValueFrom(next.handle());
    });
    return from(run);
  }
}

/** Returns the path. The address of a person is left out; the effect names it, masked. */
function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.originalUrl.split('?', 1);
  const { route } = operationOf(request);
  return route.path.endsWith('/:address') ? path.replace(/[^/]*$/, ':address') : path;
}

function actorOf(request: FastifyRequest): Actor {
  if (operationOf(request).route.guard === 'operator') {
    return { kind: 'operator', userId: maybeSessionOf(request)?.member.user.id ?? null };
  }
  const { user, workspaceId } = sessionOf(request).member;
  return { kind: 'user', userId: user.id, workspaceId };
}
