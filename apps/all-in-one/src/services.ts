import { billingService } from '@watchword/billing';
import { dispatchService } from '@watchword/dispatch';
import { demoSeed, gatewayService } from '@watchword/gateway';
import type { Installation } from './installation.js';

/** The services this host runs, and what puts the demo workspace in its place. */
export const installation: Installation = {
  definitions: [gatewayService, billingService, dispatchService],
  demoSeed,
};
