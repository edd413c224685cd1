import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { asId, type OperationRequest, type WorkspaceId } from '@watchword/contracts';

/** The workspace that calls, and the mode of its key: null for a session, which sees both. */
export interface WorkspaceCaller {
  readonly workspace_id: WorkspaceId;
  readonly test_mode: boolean | null;
}

/** Parameter decorators of the methods that serve a route. Each reads a part of the request. */
function part<Value>(read: (request: OperationRequest) => Value) {
  return createParamDecorator((_: unknown, context: ExecutionContext) =>
    read(context.switchToRpc().getData<OperationRequest>()),
  );
}

export const Caller = part(({ caller }): WorkspaceCaller => {
  const { workspace_id: workspaceId, test_mode: testMode } = caller;
  if (workspaceId === null) throw new Error('the route was called without a workspace');
  return { workspace_id: workspaceId, test_mode: testMode };
});

/** The body, which the gateway validated with the route's schema. */
export const Body = part(({ body }) => body);

/** The query, which the gateway validated with the route's schema, with its defaults. */
export const Query = part(({ query }) => query);

/** The `id` of the path, in lower case. */
export const Id = part(({ parameters }) => asId(parameters['id'] ?? ''));

/** The claim of an `Idempotency-Key`, or null without one. */
export const Claim = part(({ claim }) => claim);

/** The workspace's settings that the route's constant names. */
export const Settings = part(({ settings }) => settings ?? {});
