import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import type { Workspace } from '../../accounts/workspaces/workspace.js';
import { existingWorkspace } from '../../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../../accounts/workspaces/workspace.store.js';

/** Finds the workspace of an id in a path. 404 for an unknown one. */
@Injectable()
export class ExistingWorkspace implements PipeTransform<string, Promise<Workspace>> {
  constructor(@Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore) {}

  transform(id: string): Promise<Workspace> {
    return existingWorkspace(this.workspaces, id);
  }
}
