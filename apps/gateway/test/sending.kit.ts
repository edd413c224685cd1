import { beforeAll } from '@jest/globals';
import { UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, liftAddressLimits, useGateway } from './one-gateway.kit.js';

export const NUMBER = '+2348031234567';

/** A workspace without limits, which `useSending` opens before the tests. */
export let workspace: WorkspaceKeys;

export function useSending(): void {
  useGateway();

  beforeAll(async () => {
    await liftAddressLimits();
    workspace = await gateway.newWorkspace(UNLIMITED);
  });
}

export const sendOtp = (body: unknown, headers = {}, key = workspace.live_key) =>
  gateway.post('/v1/otp/send', key, body, headers);
export const sendSms = (body: unknown, headers = {}, key = workspace.live_key) =>
  gateway.post('/v1/sms/send', key, body, headers);

/** What billing was last given. */
export const lastCommand = () => [...gateway.billing.commands.values()].at(-1);
