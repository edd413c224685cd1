import { ApiError } from '@watchword/contracts';
import type { Workspace } from './workspace.js';
import type { WorkspaceStore } from './workspace.store.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id in a path as PostgreSQL writes it; what is not one names nothing that exists. */
export function pathId(id: string): string {
  if (!UUID.test(id)) throw new ApiError('not_found');
  return id.toLowerCase();
}

export async function existingWorkspace(store: WorkspaceStore, id: string): Promise<Workspace> {
  const workspace = await store.find(pathId(id));
  if (!workspace) throw new ApiError('not_found');
  return workspace;
}
