import { ERROR_CATALOGUE, type ErrorType } from '../errors/error-catalogue.js';
import type { Route } from './route.js';

/** Returns every error type of a route: its own, and those of its guard and its schemas. */
export function errorTypesOf(route: Route): ErrorType[] {
  const { access, guard, path } = route;
  const types = new Set<ErrorType>([...route.errors, 'internal_error']);
  if (!route.undocumented) types.add('validation_error');
  if (['key', 'session', 'operator'].includes(access)) types.add('authentication_error');
  if (needsPermission(route)) types.add('permission_error');
  if (access === 'operator' || path.includes(':')) types.add('not_found');
  if (guard !== 'none') types.add(route.limits.errorType);
  return Object.keys(ERROR_CATALOGUE).filter((type): type is ErrorType =>
    types.has(type as ErrorType),
  );
}

/** Returns whether a good credential can lack a permission, a role or the CSRF token. */
function needsPermission({ access, method, role, query }: Route): boolean {
  if (access === 'anybody') return false;
  const reveals = query !== undefined && 'reveal' in (query['properties'] as object);
  return access === 'key' || role !== undefined || method !== 'GET' || reveals;
}
