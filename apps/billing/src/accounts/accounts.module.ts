import { Module, type Provider } from '@nestjs/common';
import { AccountStore } from './account.store.js';
import { AccountsRpc } from './accounts.rpc.js';
import { CreditsController } from './credits.controller.js';
import { TopUpHandler } from './top-up.handler.js';

const providers: Provider[] = [AccountStore, TopUpHandler];

/** Balances of workspaces and what tops them up. */
@Module({ controllers: [AccountsRpc, CreditsController], providers, exports: providers })
export class BillingAccountsModule {}
