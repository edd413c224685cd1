import { billingService } from '@watchword/billing';
import { dispatchService } from '@watchword/dispatch';
import { demoSeed, gatewayService } from '@watchword/gateway';
import type { DemoSeed } from '@watchword/host';
import type { ServiceDefinition } from '@watchword/platform';
import { webhooksService } from '@watchword/webhooks';

/** What a host runs, apart from how. */
export interface Installation {
  definitions: readonly ServiceDefinition[];
  /** Puts the demo workspace in its place. */
  demoSeed: DemoSeed;
}

export const installation: Installation = {
  definitions: [gatewayService, billingService, dispatchService, webhooksService],
  demoSeed,
};
