import { describe, expect, it } from '@jest/globals';
import {
  ApiError,
  type ErrorType,
  newId,
  refusalOf,
  type RouteRequest,
  routes,
} from '@watchword/contracts';
import { askRoute, type Owners } from './owners.js';

const request: RouteRequest = { workspace_id: newId(), parameters: { id: newId() } };

/** An owner that refuses every request. */
function refusing(type: ErrorType): Owners['dispatch'] {
  const refusal = refusalOf(new ApiError(type));
  return { getDomain: async () => ({ refusal }) } as unknown as Owners['dispatch'];
}

describe('a route that the gateway calls for itself', () => {
  it('answers null where its owner does not find the resource', async () => {
    expect(await askRoute(refusing('not_found'), routes.getDomain, request)).toBeNull();
  });

  it.each(['conflict', 'validation_error', 'internal_error'] as const)(
    'passes on that its owner answers %s',
    async (type) => {
      const asked = askRoute(refusing(type), routes.getDomain, request);
      await expect(asked).rejects.toMatchObject({ type });
    },
  );

  it('answers null for another refusal only where the caller expects it', async () => {
    const dispatch = refusing('conflict');
    expect(await askRoute(dispatch, routes.getDomain, request, 'conflict')).toBeNull();
    const missing = askRoute(refusing('not_found'), routes.getDomain, request, 'conflict');
    await expect(missing).rejects.toMatchObject({ type: 'not_found' });
  });
});
