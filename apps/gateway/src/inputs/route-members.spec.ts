import { describe, expect, it } from '@jest/globals';
import { ROUTES } from '@watchword/contracts';
import { namesOf } from './validation.policy.js';

/** A union and an array. Their handlers read the members one by one. */
const READ_BY_HANDLERS = ['createQuote', 'sendEmailBatch'];
/** Members that our own calls set, and that a workspace must not choose. */
const OURS = ['workspace_id', 'project_id', 'test_mode_only'];

describe('the members of a request', () => {
  it('are those of the schema of its body, on every other route', () => {
    const others = ROUTES.filter(({ body }) => body !== undefined && namesOf(body) === null);
    expect(others.map(({ operationId }) => operationId).toSorted()).toEqual(READ_BY_HANDLERS);
  });

  it('never choose the workspace, on a route for keys or sessions', () => {
    const chosen = ROUTES.filter(({ access }) => access === 'key' || access === 'session').flatMap(
      ({ operationId, body, query }) =>
        [body, query]
          .flatMap((schema) => namesIn(schema))
          .filter((name) => OURS.includes(name))
          .map((name) => `${operationId}: ${name}`),
    );
    expect(chosen).toEqual([]);
  });
});

/** Returns the names of all members, at any depth. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesIn)];
}
