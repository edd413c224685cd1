import { afterAll, beforeAll } from '@jest/globals';
import { openGateway, type TestGateway } from './gateway.kit.js';

/** The gateway of the spec file, which `useGateway` opens before its tests. */
export let gateway: TestGateway;

export const liftAddressLimits = () =>
  gateway.operator('PATCH', '/settings', {
    limits: { ip_authenticated_per_minute: null, ip_unauthenticated_per_minute: null },
  });

export function useGateway(...options: Parameters<typeof openGateway>): void {
  beforeAll(async () => {
    gateway = await openGateway(...options);
  });

  afterAll(() => gateway?.close());
}
