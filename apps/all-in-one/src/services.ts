import { billingService } from '@watchword/billing';
import { dispatchService } from '@watchword/dispatch';
import { demoSeed, gatewayService } from '@watchword/gateway';
import { webhooksService } from '@watchword/webhooks';
import type { Installation } from './installation.js';

/** The services this host runs, and what puts the demo workspace in its place. */
export const installation: Installation = {
  definitions: [gatewayService, billingService, dispatchService, webhooksService],
  demoSeed,
};
