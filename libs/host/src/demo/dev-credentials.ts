import type { WorkspaceId } from '@watchword/contracts';
import { readJson } from '../data-directory/private-file.js';
import type { DemoWorkspace } from './demo-workspace.js';

export const CREDENTIALS_FILE_NAME = 'dev-credentials.json';

/** What a person or a test needs to use the embedded installation. */
export interface DevCredentials {
  base_url: string;
  workspace_id: WorkspaceId;
  email: string;
  password: string;
  live_key: string;
  test_key: string;
  operator_token: string;
  simulator_url: string;
  /** Address of `/health`, `/ready` and `/metrics`. Absent where each process has its own. */
  status_url?: string;
}

export interface Addresses {
  baseUrl: string;
  simulatorUrl: string;
  operatorToken: string;
  statusUrl?: string;
}

export function readCredentials(directory: string): Promise<DevCredentials | undefined> {
  return readJson<DevCredentials>(directory, CREDENTIALS_FILE_NAME);
}

/** Returns the credentials. Ids and keys never change; addresses are those of this start. */
export function credentialsOf(demo: DemoWorkspace, addresses: Addresses): DevCredentials {
  return {
    base_url: addresses.baseUrl,
    workspace_id: demo.workspaceId,
    email: demo.email,
    password: demo.password,
    live_key: demo.liveKey,
    test_key: demo.testKey,
    operator_token: addresses.operatorToken,
    simulator_url: addresses.simulatorUrl,
    ...(addresses.statusUrl !== undefined && { status_url: addresses.statusUrl }),
  };
}

export function demoOf(credentials: DevCredentials): DemoWorkspace {
  return {
    workspaceId: credentials.workspace_id,
    email: credentials.email,
    password: credentials.password,
    liveKey: credentials.live_key,
    testKey: credentials.test_key,
  };
}
