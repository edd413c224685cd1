import { billingService } from '@watchword/billing';
import { dispatchService } from '@watchword/dispatch';
import { demoSeed, gatewayService } from '@watchword/gateway';
import type { DemoSeed } from '@watchword/host';
import type { ServiceDefinition } from '@watchword/platform';
import { webhooksService } from '@watchword/webhooks';

/** What a host runs. */
export interface Installation {
  definitions: readonly ServiceDefinition[];
  /** Creates the demo workspace. */
  demoSeed: DemoSeed;
}

export const installation: Installation = {
  definitions: [gatewayService, billingService, dispatchService, webhooksService],
  demoSeed,
};
