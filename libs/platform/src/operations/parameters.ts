import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { asId, type OperationRequest, type WorkspaceId } from '@watchword/contracts';

/** A caller with a workspace. An operator has the workspace of the path. */
export type WorkspaceCaller = OperationRequest['caller'] & { readonly workspace_id: WorkspaceId };

/** Parameter decorators of the methods that serve a route. Each reads a part of the request. */
function part<Value>(read: (request: OperationRequest) => Value) {
  return createParamDecorator((_: unknown, context: ExecutionContext) =>
    read(context.switchToRpc().getData<OperationRequest>()),
  );
}

export const Caller = part(({ caller }): WorkspaceCaller => {
  const { workspace_id: workspaceId } = caller;
  if (workspaceId === null) throw new Error('the route was called without a workspace');
  return { ...caller, workspace_id: workspaceId };
});

/** A member of a workspace, on a dashboard's route. */
export type MemberCaller = WorkspaceCaller & {
  readonly user: NonNullable<OperationRequest['caller']['user']>;
};

export const Member = part(({ caller }): MemberCaller => {
  const { workspace_id: workspaceId, user } = caller;
  if (workspaceId === null || !user) throw new Error('the route was called without a member');
  return { ...caller, workspace_id: workspaceId, user };
});

/** The body, which the gateway validated with the route's schema. */
export const Body = part(({ body }) => body);

/** The query, which the gateway validated with the route's schema, with its defaults. */
export const Query = part(({ query }) => query);

/** The `id` of the path, in lower case. */
export const Id = part(({ parameters }) => asId(parameters['id'] ?? ''));

/** A parameter of the path by its name. */
export const Parameter = createParamDecorator((name: string, context: ExecutionContext) => {
  const { parameters } = context.switchToRpc().getData<OperationRequest>();
  return parameters[name];
});

/** The claim of an `Idempotency-Key`, or null without one. */
export const Claim = part(({ claim }) => claim);

/** The workspace's settings that the route's constant names. */
export const Settings = part(({ settings }) => settings ?? {});
