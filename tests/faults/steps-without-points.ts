/** Durable steps without crash points, each under the reason why it has none; see `crash-points.ts`. */
const BY_REASON: Record<string, readonly string[]> = {
  "of a transaction whose commit has its points (billing's batches, top-ups, opened accounts and plans)":
    [
      'apps/billing/src/acceptances/batch.store.ts BatchStore.accept: database.query, acceptMessages',
      'apps/billing/src/acceptances/batch.store.ts BatchStore.record: database.query, record',
      'apps/billing/src/accounts/account.store.ts AccountStore.open: database.query, open',
      'apps/billing/src/accounts/account.store.ts AccountStore.post: database.query, post',
      'apps/billing/src/accounts/credit-event.store.ts CreditEventStore.announce: database.query, announce',
      'apps/billing/src/accounts/idempotency-key.store.ts IdempotencyKeyStore.bind: database.query, bind',
      'apps/billing/src/ledger/entry.store.ts EntryStore.insert: database.query, insert',
      'apps/billing/src/plans/plan.store.ts PlanStore.change: database.query, change',
      'apps/billing/src/plans/plan.store.ts PlanStore.regrant: database.query, regrant',
    ],
  'passes on to what has the points': [
    'apps/gateway/src/routes/callbacks/callback.controller.ts CallbackController.receive: publishing.publish',
    'apps/gateway/src/routes/callbacks/callback.controller.ts CallbackController.receive: emailReports.publish',
    'apps/gateway/src/messages/email/bounce-message.handler.ts BounceMessageHandler.handle: publishing.publish',
    'libs/bus/src/kafka-bus.adapter.ts KafkaBus.publish: publisher.publish',
    'libs/bus/src/postgres-bus.adapter.ts PostgresBus.publish: straight.publish',
    'libs/bus/src/outbox-fallback-bus.ts OutboxFallbackBus.publish: bus.publish',
    'libs/bus/src/kafka/group-member.ts GroupMember.constructor: this.commit',
  ],
  reads: [
    'apps/dispatch/src/messages/message-search.store.ts MessageSearchStore.page: database.query, subject ? SEARCHES[subject] : SEARCH_ALL',
    'apps/dispatch/src/sending/carrier-calls.ts CarrierCalls.lateAnswer: provider.query, messageId',
    'libs/bus/src/hand-over/log-sweep.ts LogSweep.sweep: database.query, textOf()',
  ],
  'locks and listens; nothing is stored': [
    'libs/bus/src/control-connection.ts ControlConnection.connect: client.query, join()',
    'libs/bus/src/control-connection.ts ControlConnection.query: client.query, text',
  ],
  'a look that may write what the expiry of OTPs would write otherwise, at dispatch.change': [
    'apps/dispatch/src/messages/message-reads.ts MessageReads.constructor: changes.apply',
  ],
  'removes what has had its time; what is left behind goes the next time': [
    'apps/billing/src/acceptances/purge.store.ts PurgeStore.purgeAcceptances: database.query, purgeAcceptances',
    'apps/billing/src/acceptances/purge.store.ts PurgeStore.purgeBatches: database.query, purgeBatches',
    'apps/billing/src/acceptances/purge.store.ts PurgeStore.purgeKeys: database.query, purgeKeys',
    'apps/billing/src/acceptances/purge.store.ts PurgeStore.purgeKeySpending: database.query, purgeKeySpending',
    'apps/billing/src/acceptances/purge.store.ts PurgeStore.purgeQuotes: database.query, purgeQuotes',
    'apps/dispatch/src/receipts/parked-report.store.ts ParkedReportStore.purge: database.query, PURGE',
    'apps/dispatch/src/emails/email-content.store.ts EmailContentStore.purge: database.query, PURGE',
    'apps/dispatch/src/emails/email.store.ts EmailStore.purgeReports: database.query, PURGE_REPORTS',
    'apps/dispatch/src/messages/idempotency-key.store.ts IdempotencyKeyStore.find: database.query, REMOVE',
    'apps/dispatch/src/messages/idempotency-key.store.ts IdempotencyKeyStore.purge: database.query, PURGE',
    'apps/dispatch/src/scheduling/due-messages.store.ts DueMessagesStore.forget: database.query, FORGET',
    'apps/dispatch/src/sending/unfinished.store.ts UnfinishedStore.forgetDead: database.query, FORGET',
    'apps/webhooks/src/events/retention.store.ts RetentionStore.purgeDeliveries: database.query, PURGE_DELIVERIES',
    'apps/webhooks/src/events/retention.store.ts RetentionStore.purgeEvents: database.query, PURGE_EVENTS',
    'apps/webhooks/src/events/retention.store.ts RetentionStore.purgeKeys: database.query, PURGE_KEYS',
    'apps/webhooks/src/events/retention.store.ts RetentionStore.purgeRecoveries: database.query, PURGE_RECOVERIES',
    'libs/bus/src/offset.store.ts OffsetStore.prune: database.query, of its own',
    'libs/bus/src/relay-offset.store.ts RelayOffsetStore.prune: database.query, pruneStatement',
  ],
  'makes a row that says that nothing was read yet, at a start': [
    'libs/bus/src/offset.store.ts OffsetStore.load: database.query, begin',
    'libs/bus/src/relay-offset.store.ts RelayOffsetStore.load: database.query, beginStatement',
  ],
  'repairs a restored outbox for an operator, in one transaction': [
    'libs/bus/src/repair/repair-outboxes.ts eachAhead: admin.query, isAhead',
    'libs/bus/src/repair/repair-outboxes.ts repair: admin.query, lock',
    'libs/bus/src/repair/repair-outboxes.ts repair: admin.query, isAhead',
    'libs/bus/src/repair/repair-outboxes.ts repair: admin.query, disordered',
    'libs/bus/src/repair/repair-outboxes.ts repair: admin.query, count',
    'libs/bus/src/repair/repair-outboxes.ts repair: admin.query, update',
    'libs/bus/src/repair/repair-outboxes.ts repair: admin.query, renumber',
    'libs/bus/src/repair/repair-outboxes.ts repair: admin.query, tell',
  ],
  'says how far a sweep got, which looks back over it again': [
    'apps/dispatch/src/verification/otp-expiry.store.ts OtpExpiryStore.reach: database.query, REACH',
  ],
  'says that nothing is left to close; the next round looks again': [
    'apps/webhooks/src/deliveries/closing.store.ts ClosingStore.end: database.query, endClosing',
  ],
  'of a transaction whose commit has its points (a chunk of a recovery)': [
    'apps/webhooks/src/deliveries/recovery.store.ts RecoveryProgressStore.advance: transaction.query, abandon',
    'apps/webhooks/src/deliveries/recovery.store.ts RecoveryProgressStore.advance: transaction.query, advance',
  ],
  'says who is alive, not what became of a message': [
    'apps/dispatch/src/sending/unfinished.store.ts UnfinishedStore.alive: database.query, ALIVE',
    'apps/dispatch/src/sending/unfinished.store.ts UnfinishedStore.leave: database.query, LEAVE',
    'apps/gateway/src/invalidation/gateway-lease.ts GatewayLease.renew: client.query, question',
    'apps/gateway/src/invalidation/gateway-lease.store.ts GatewayLeaseStore.leave: database.query, of its own',
  ],
  "an operator's replay of dead letters, which may be repeated": [
    'libs/bus/src/dead-letter.store.ts DeadLetterStore.askReplay: database.query, askReplay',
    'apps/dispatch/src/routing/carrier-choices.store.ts CarrierChoicesStore.change: database.query, CHANGE',
    'libs/bus/src/dead-letter.store.ts DeadLetterStore.discard: database.query, discard',
    'libs/bus/src/dead-letter.store.ts DeadLetterStore.settle: database.query, settle',
  ],
  'prices and quotes: charge and reserve nothing; the send that uses one decides in its own transaction':
    [
      'apps/billing/src/prices/price-list.store.ts PriceListStore.put: database.query, insert',
      'apps/gateway/src/billing/price-list-version.store.ts PriceListVersionStore.reached: database.query, of its own',
      'apps/billing/src/quotes/quote.store.ts QuoteStore.insert: database.query, insert',
      'apps/billing/src/quotes/quote.store.ts QuoteStore.insertKeyed: database.query, insertKeyed',
      'apps/billing/src/quotes/quote.store.ts QuoteStore.releaseKey: database.query, releaseKey',
    ],
  'holds commands of suspended workspaces; each step is repeated after a crash, without effect': [
    'apps/dispatch/src/suspensions/suspension.store.ts SuspensionStore.hold: database.query, HOLD',
    'apps/dispatch/src/suspensions/suspension.store.ts SuspensionStore.release: database.query, RELEASE',
    'apps/dispatch/src/suspensions/suspension.store.ts SuspensionStore.stand: database.query, STAND',
  ],
  'restricts a prefix, every five minutes; no message changes': [
    'apps/dispatch/src/fraud/prefix-guard/prefix-anomaly.job.ts PrefixAnomalyJob.run: pool.transaction',
    'apps/dispatch/src/fraud/prefix-guard/prefix-guard.rpc.ts PrefixGuardRpc.liftPrefixRestriction: pool.transaction',
    'apps/dispatch/src/fraud/prefix-guard/prefix-guard.store.ts PrefixGuardStore.announce: database.query, ANNOUNCE',
    'apps/dispatch/src/fraud/prefix-guard/prefix-guard.store.ts PrefixGuardStore.beginCheck: database.query, BEGIN_CHECK',
    'apps/dispatch/src/fraud/prefix-guard/prefix-guard.store.ts PrefixGuardStore.lift: database.query, LIFT',
    'apps/dispatch/src/fraud/prefix-guard/prefix-guard.store.ts PrefixGuardStore.nextVersion: database.query, NEXT_VERSION',
    'apps/dispatch/src/fraud/prefix-guard/prefix-guard.store.ts PrefixGuardStore.restrict: database.query, RESTRICT',
  ],
  'accounts, keys and settings: told before a message comes, and asked again by who did not hear': [
    'apps/billing/src/accounts/account.store.ts AccountStore.setLowBalanceThreshold: database.query, setThreshold',
    'apps/gateway/src/limits/platform-settings.store.ts PlatformSettingsStore.merge: database.query, of its own',
  ],
  'a synthetic event, of no message': [
    'apps/webhooks/src/events/test-event.rpc.ts TestEventRpc.post: poster.post',
  ],
};

export const STEPS_WITHOUT_POINTS: readonly string[] = Object.values(BY_REASON).flat();
