import { expect, it } from '@jest/globals';
import { ApiError, DOCUMENTED_ROUTES, openApiDocument } from '@watchword/contracts';
import { CompiledRoute } from './compiled-route.js';

type Operation = { requestBody: { required: boolean } };
const { paths } = openApiDocument() as { paths: Record<string, Record<string, Operation>> };
const withBody = DOCUMENTED_ROUTES.filter(({ body }) => body !== undefined);

it.each(withBody.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s takes no body exactly where the document says so',
  (_, route) => {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const { required } = paths[path]![route.method.toLowerCase()]!.requestBody;
    expect(isTaken(new CompiledRoute(route))).toBe(!required);
  },
);

it('takes no body where every member is optional, and needs one for a list or a choice', () => {
  const optional = withBody.filter((route) => isTaken(new CompiledRoute(route)));
  const names = optional.map(({ operationId }) => operationId);
  expect(names).toEqual(expect.arrayContaining(['testWebhook', 'updateWebhook', 'resendOtp']));
  expect(names).not.toContain('sendEmailBatch');
  expect(names).not.toContain('createQuote');
});

function isTaken(route: CompiledRoute): boolean {
  try {
    route.readBody(undefined);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
