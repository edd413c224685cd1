import { ApiError } from '@watchword/contracts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id in a path as PostgreSQL writes it. Text of another form names nothing that exists. */
export function pathId(id: string): string {
  if (!UUID.test(id)) throw new ApiError('not_found');
  return id.toLowerCase();
}
