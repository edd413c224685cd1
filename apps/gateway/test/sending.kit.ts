import { beforeAll } from '@jest/globals';
import { UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, liftAddressLimits, useGateway } from './one-gateway.kit.js';

/** A workspace without limits, which `useSending` opens before the tests. */
export let workspace: WorkspaceKeys;

export function useSending(): void {
  useGateway();

  beforeAll(async () => {
    await liftAddressLimits();
    workspace = await gateway.newWorkspace(UNLIMITED);
  });
}
