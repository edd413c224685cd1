import type { HandOver } from '@watchword/bus';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BillingCalls, Clock } from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';
import { AcceptBatchHandler } from './acceptances/accept-batch.handler.js';
import { AcceptHandler } from './acceptances/accept.handler.js';
import { AcceptRpc } from './acceptances/accept.rpc.js';
import { AcceptStore } from './acceptances/accept.store.js';
import { AcceptanceStore } from './acceptances/acceptance.store.js';
import { AcceptancesRpc } from './acceptances/acceptances.rpc.js';
import { BatchesRpc } from './acceptances/batches.rpc.js';
import { KeySpendingStore } from './acceptances/key-spending.store.js';
import { AccountStore } from './accounts/account.store.js';
import { AccountsRpc } from './accounts/accounts.rpc.js';
import { TopUpHandler } from './accounts/top-up.handler.js';
import { EntryStore } from './ledger/entry.store.js';
import { LedgerRpc } from './ledger/ledger.rpc.js';
import type { Payments } from './payments/payments.js';
import { PlanStore } from './plans/plan.store.js';
import { PlansRpc } from './plans/plans.rpc.js';
import { PRICE_LIST_SETTLED_MS, type PriceListCache } from './prices/price-list.cache.js';
import { QuoteStore } from './quotes/quote.store.js';
import { QuotesRpc } from './quotes/quotes.rpc.js';

/** What billing answers to the other services. */
export interface BillingRpc {
  calls: BillingCalls;
  /** Resolves when no batch waits or is in flight. */
  drain(): Promise<void>;
}

export function createBillingCalls(
  pool: DatabasePool,
  prices: PriceListCache,
  clock: Clock,
  payments: Payments,
  handOver?: HandOver,
): BillingRpc {
  const quotes = new QuoteStore(pool);
  const acceptance = new AcceptStore(pool, handOver);
  const accept = new AcceptRpc(new AcceptHandler(acceptance, prices, quotes, clock));
  const batches = new BatchesRpc(
    new AcceptBatchHandler(pool, prices, clock),
    new KeySpendingStore(pool),
    clock,
  );
  const wallets = { accounts: new AccountStore(pool), plans: new PlanStore(pool) };
  const quoting = new QuotesRpc(quotes, wallets, prices, clock);
  const acceptances = new AcceptancesRpc(new AcceptanceStore(pool), clock);
  const accounts = new AccountsRpc(new AccountStore(pool), new TopUpHandler(pool, clock));
  const plans = new PlansRpc(pool, clock);
  const ledger = new LedgerRpc(new EntryStore(pool));
  return {
    calls: {
      accept: (request) => accept.accept(request),
      acceptBatch: batches.acceptBatch,
      findBatchReplay: batches.findBatchReplay,
      getKeySpending: batches.getKeySpending,
      quote: quoting.quote,
      findAcceptance: acceptances.findAcceptance,
      findReplay: acceptances.findReplay,
      listAcceptances: acceptances.listAcceptances,
      listRecentSends: acceptances.listRecentSends,
      openAccount: accounts.openAccount,
      grantTrial: accounts.grantTrial,
      getAccount: accounts.getAccount,
      setLowBalanceThreshold: accounts.setLowBalanceThreshold,
      getAccounts: accounts.getAccounts,
      topUp: accounts.topUp,
      listEntries: ledger.listEntries,
      createPayment: payments.rpc.createPayment,
      getPayment: payments.rpc.getPayment,
      listPayments: payments.rpc.listPayments,
      searchPayments: payments.rpc.searchPayments,
      confirmPayment: payments.rpc.confirmPayment,
      receivePaymentCallback: payments.callbacks.receive,
      getTopUp: payments.rpc.getTopUp,
      putTopUp: payments.rpc.putTopUp,
      getPlan: plans.getPlan,
      setPlan: plans.setPlan,
      getPriceList: () => prices.latest(),
      async putPriceList({ list }) {
        const version = await prices.put(list);
        // Two sends after the answer shall not cost differently, whichever process takes them.
        await sleep(PRICE_LIST_SETTLED_MS);
        return version;
      },
    },
    async drain() {
      await Promise.all([accept.drain(), batches.drain(), acceptances.drain()]);
    },
  };
}
