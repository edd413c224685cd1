import { unknownResource, type WorkspaceId } from '@watchword/contracts';
import { pathId } from '../settings/path-id.js';
import type { Workspace } from './workspace.js';
import type { WorkspaceStore } from './workspace.store.js';

export async function existingWorkspace(store: WorkspaceStore, id: string): Promise<Workspace> {
  const workspace = await store.find(pathId<WorkspaceId>(id, 'workspace'));
  if (!workspace) throw unknownResource('workspace');
  return workspace;
}
