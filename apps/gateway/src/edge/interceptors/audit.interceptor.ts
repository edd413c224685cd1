import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { HttpSettings } from '@watchword/config';
import { asId, type Outcome, type WorkspaceId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { LOGGER } from '@watchword/platform';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AuditStore, type Actor, type Effect } from '../../accounts/audit/audit.store.js';
import { isPathId } from '../../accounts/settings/path-id.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { answerFor } from '../filters/error-envelope.policy.js';
import {
  markAuditBegun,
  maybeSessionOf,
  operationOf,
  sessionOf,
} from '../request/request-context.js';
import { admit } from '../server/admit.js';

const WORKSPACE_PATH = '/operator/v1/workspaces/:id';

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
    const record = await this.begin(request, actor);
    try {
      const outcome = await work();
      const { furtherEffects = [] } = outcome;
      if (furtherEffects.length > 0) await this.audit.repeat(record, status, furtherEffects);
      await this.complete(record, status, outcome.effect);
      return outcome;
    } catch (error) {
      const { status: answered, type } = answerFor(error, request.id);
      await this.complete(record, answered, { refused: type });
      throw error;
    }
  }

  /** Records a call of a member to a route for keys, which has no interceptor. Returns the record. */
  beginOfMember(request: FastifyRequest): Promise<string> {
    return this.begin(request, actorOf(request));
  }

  private begin(request: FastifyRequest, actor: Actor): Promise<string> {
    return this.audit.begin({
      actor,
      requestId: request.id,
      method: request.method,
      path: pathOf(request),
      clientIp: clientIpOf(request, this.http.trustedProxies),
    });
  }

  /**
   * Stores the outcome. The call has taken effect, so a failure here must not look like its
   * failure.
   */
  async complete(record: string, status: number, effect?: Effect): Promise<void> {
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
    const userId = maybeSessionOf(request)?.member.user.id ?? null;
    return { kind: 'operator', userId, workspaceId: workspaceIn(request) };
  }
  const { user, workspaceId } = sessionOf(request).member;
  return { kind: 'user', userId: user.id, workspaceId };
}

/** Returns the workspace of an operator's path. A text that is no id concerns no workspace. */
function workspaceIn(request: FastifyRequest): WorkspaceId | null {
  if (!operationOf(request).route.path.startsWith(WORKSPACE_PATH)) return null;
  const { id = '' } = request.params as { id?: string };
  return isPathId(id) ? asId(id.toLowerCase()) : null;
}
