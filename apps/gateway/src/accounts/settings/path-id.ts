import { ApiError } from '@watchword/contracts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the id of a path in PostgreSQL's spelling. Another text gives 404. */
export function pathId(id: string): string {
  if (!UUID.test(id)) throw new ApiError('not_found');
  return id.toLowerCase();
}
