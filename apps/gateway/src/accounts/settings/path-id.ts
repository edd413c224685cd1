import { asId, type Resource, unknownResource } from '@watchword/contracts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isPathId = (id: string): boolean => UUID.test(id);

/** Returns an id of a path or of a tool's input in PostgreSQL's spelling. Another text gives 404. */
export function pathId<Id extends string = string>(id: string, resource: Resource): Id {
  if (!isPathId(id)) throw unknownResource(resource);
  return asId(id.toLowerCase());
}
