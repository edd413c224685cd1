import { ROUTES } from '@watchword/contracts';

/** Whether the operator API has the route that a page shows, as `op GET /carriers`. */
export function isRoute(method: string, shown: string): boolean {
  const path = `/operator/v1${shown.replace(/[?'`)].*$/, '')}`;
  return ROUTES.some((route) => {
    const pattern = new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`);
    return route.method === method && pattern.test(path);
  });
}
