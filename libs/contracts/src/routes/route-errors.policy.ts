import { ERROR_CATALOGUE, type ErrorType } from '../errors/error-catalogue.js';
import type { Route } from './route.js';

/** Returns every error type of a route: its own, and those of its guard and its schemas. */
export function errorTypesOf(route: Route): ErrorType[] {
  const { access, guard, path, method } = route;
  const types = new Set<ErrorType>([...route.errors, 'internal_error']);
  if (!route.undocumented) types.add('validation_error');
  if (access !== 'anybody') types.add('authentication_error');
  if (access === 'key') types.add('permission_error');
  if (access === 'session' && method !== 'GET') types.add('permission_error');
  if (access === 'operator' || path.includes(':')) types.add('not_found');
  if (guard !== 'none') types.add(route.limits.errorType);
  return Object.keys(ERROR_CATALOGUE).filter((type): type is ErrorType =>
    types.has(type as ErrorType),
  );
}
