import { Module, type Provider } from '@nestjs/common';
import { billingCalls, dispatchCalls, webhooksCalls } from '@watchword/contracts';
import { RPC } from '@watchword/platform';
import type { Rpc } from '@watchword/rpc';
import { BILLING } from './billing-calls.js';
import { DISPATCH } from './dispatch-calls.js';
import { InFlightKeys } from './in-flight-keys.js';
import { OWNERS, ownersBy } from './owners.js';
import { WEBHOOKS } from './webhooks-calls.js';

const providers: Provider[] = [
  { provide: BILLING, useFactory: (rpc: Rpc) => rpc.client(billingCalls), inject: [RPC] },
  { provide: DISPATCH, useFactory: (rpc: Rpc) => rpc.client(dispatchCalls), inject: [RPC] },
  { provide: WEBHOOKS, useFactory: (rpc: Rpc) => rpc.client(webhooksCalls), inject: [RPC] },
  { provide: OWNERS, useFactory: ownersBy, inject: [RPC] },
  InFlightKeys,
];

/** The other services, in this process or in others, and the keys of calls to them. */
@Module({ providers, exports: providers })
export class CallsModule {}
