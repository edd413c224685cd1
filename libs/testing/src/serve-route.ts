import {
  errorOf,
  type IdempotencyClaim,
  type OperationAnswer,
  type OperationRequest,
  type Outcome,
  type Route,
  type WorkspaceId,
} from '@watchword/contracts';

/** A request of a workspace, as the gateway forwards it. */
export interface ServedRequest {
  readonly workspace_id?: WorkspaceId | null;
  readonly test_mode?: boolean | null;
  readonly id?: string;
  readonly parameters?: Record<string, string>;
  readonly query?: object;
  readonly body?: object;
  readonly settings?: OperationRequest['settings'];
  readonly claim?: IdempotencyClaim | null;
}

export type ServeRoute = <Body = unknown>(
  route: Route,
  request: ServedRequest,
) => Promise<Outcome<Body>>;

type Serve = (request: OperationRequest) => Promise<OperationAnswer>;

/** Calls the routes of a service as the gateway does. A refusal is thrown as an `ApiError`. */
export function serveRoute(operations: () => Readonly<Record<string, Serve>>): ServeRoute {
  return async <Body>(route: Route, request: ServedRequest) => {
    const { workspace_id = null, test_mode = null, id, parameters, query, body } = request;
    const answer = await operations()[route.operationId]!({
      caller: { workspace_id, test_mode },
      parameters: { ...parameters, ...(id !== undefined && { id }) },
      query: query ?? {},
      ...(body && { body }),
      ...(request.settings && { settings: request.settings }),
      claim: request.claim ?? null,
    });
    if ('refusal' in answer) throw errorOf(answer.refusal);
    return answer.outcome as Outcome<Body>;
  };
}
