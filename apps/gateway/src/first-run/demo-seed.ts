import { randomBytes } from 'node:crypto';
import { billingCalls, newId } from '@watchword/contracts';
import type { Platform } from '@watchword/platform';
import { ApiKeyStore } from '../auth/api-key.store.js';
import { issueToken } from '../auth/api-token.js';
import { CreateWorkspaceHandler } from '../workspaces/create-workspace.handler.js';
import { WorkspaceStore } from '../workspaces/workspace.store.js';

/** The workspace that an embedded installation comes with. */
export interface DemoWorkspace {
  workspaceId: string;
  liveKey: string;
  testKey: string;
  /** For the dashboard's log-in, which keeps them until it exists. */
  email: string;
  password: string;
}

const CREDITS = 10_000;

/**
 * Ids and keys are drawn first, so that the host can keep them in a file before anything exists;
 * then the workspace is made to be there, which may be repeated at every start.
 */
export const demoSeed = {
  draw(): DemoWorkspace {
    return {
      workspaceId: newId(),
      liveKey: issueToken('live').token,
      testKey: issueToken('test').token,
      email: 'demo@example.com',
      password: randomBytes(12).toString('base64url'),
    };
  },

  async ensure(demo: DemoWorkspace, { database, rpc }: Platform): Promise<void> {
    const creating = new CreateWorkspaceHandler(
      rpc.client(billingCalls),
      new WorkspaceStore(database.pool),
      new ApiKeyStore(database.pool),
    );
    await creating.create({
      name: 'Demo',
      billingCountry: 'NG',
      credits: CREDITS,
      settings: {},
      identity: { id: demo.workspaceId, liveKey: demo.liveKey, testKey: demo.testKey },
    });
  },
};
