import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import {
  type BillingCalls,
  billingCalls,
  dispatchCalls,
  webhooksCalls,
} from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';
import { onceAvailable, PLATFORM, type Platform } from '@watchword/platform';
import { CallbackDoors } from '@watchword/carriers';
import { AuthController } from './routes/account/auth.controller.js';
import { AuditStore } from './accounts/audit/audit.store.js';
import { AuditedCalls } from './edge/interceptors/audit.interceptor.js';
import { ApiKeyStore } from './accounts/keys/api-key.store.js';
import { ApiKeysHandler } from './accounts/keys/api-keys.handler.js';
import { CachedKeyDirectory } from './accounts/keys/cached-key-directory.adapter.js';
import { GatewayLease } from './invalidation/gateway-lease.js';
import { CallbackController } from './routes/callbacks/callback.controller.js';
import { PublishReportsHandler } from './messages/publish-reports.handler.js';
import { ConsoleKeysController } from './routes/console/console-keys.controller.js';
import { consoleParts } from './console-parts.js';
import { ConsolePrefixesController } from './routes/console/console-prefixes.controller.js';
import { ConsoleRecordsController } from './routes/console/console-records.controller.js';
import { ConsoleWebhookController } from './routes/console/console-webhook.controller.js';
import { ConsoleWorkspaceController } from './routes/console/console-workspace.controller.js';
import { EventsController } from './routes/webhooks/events.controller.js';
import { WebhooksController } from './routes/webhooks/webhooks.controller.js';
import { HealthController } from './routes/public/health.controller.js';
import { CallbackGuard } from './edge/guards/callback.guard.js';
import { KeyGuard } from './edge/guards/key.guard.js';
import { DocumentGuard } from './edge/guards/document.guard.js';
import { OperatorGuard } from './edge/guards/operator.guard.js';
import { InFlightKeys } from './messages/in-flight-keys.js';
import { LedgerController } from './routes/account/ledger.controller.js';
import { LedgerHandler } from './billing/ledger.handler.js';
import { type Limits, LIMITS, openLimits, RATE_LIMITER } from './limits/limits.js';
import { LiftPrefixHandler } from './limits/lift-prefix.handler.js';
import { PlatformSettingsHolder } from './limits/platform-settings.js';
import { PlatformSettingsStore } from './limits/platform-settings.store.js';
import { PrefixGuard } from './limits/prefix-guard.js';
import { OperatorCreditsController } from './routes/operator/operator-credits.controller.js';
import { DeadLettersHandler } from './messages/dead-letters.handler.js';
import { HeldDeadLetters } from './messages/held-dead-letters.js';
import { OperatorDeadLettersController } from './routes/operator/operator-dead-letters.controller.js';
import { OperatorKeysController } from './routes/operator/operator-keys.controller.js';
import { OperatorPlatformController } from './routes/operator/operator-platform.controller.js';
import { OperatorPlansController } from './routes/operator/operator-plans.controller.js';
import { OperatorAccountsController } from './routes/operator/operator-accounts.controller.js';
import { OperatorAuditController } from './routes/operator/operator-audit.controller.js';
import { DISPATCH } from './messages/dispatch-calls.js';
import { OperatorCarriersController } from './routes/operator/operator-carriers.controller.js';
import { OperatorMessagesController } from './routes/operator/operator-messages.controller.js';
import { OperatorPrefixesController } from './routes/operator/operator-prefixes.controller.js';
import { OperatorSenderIdsController } from './routes/operator/operator-sender-ids.controller.js';
import { OperatorWebhookController } from './routes/operator/operator-webhook.controller.js';
import { OperatorWorkspacesController } from './routes/operator/operator-workspaces.controller.js';
import { OtpController } from './routes/otp/otp.controller.js';
import { PriceListCache } from './billing/price-list.cache.js';
import { PriceListVersionStore } from './billing/price-list-version.store.js';
import { PricingController } from './routes/public/pricing.controller.js';
import { HomeController } from './routes/public/home.controller.js';
import { ReferenceController } from './routes/public/reference.controller.js';
import { McpController } from './routes/mcp/mcp.controller.js';
import { QuoteController } from './routes/quotes/quote.controller.js';
import { ProtectedSenderIds } from './accounts/sender-ids/protected-sender-ids.js';
import { ProtectedSenderIdStore } from './accounts/sender-ids/protected-sender-ids.store.js';
import { messageParts } from './message-parts.js';
import { MessagingController } from './routes/sms/messaging.controller.js';
import { OperatorRegistrationsController } from './routes/operator/operator-registrations.controller.js';
import { SenderIdsController } from './routes/senders/sender-ids.controller.js';
import { SmsTemplatesController } from './routes/templates/sms-templates.controller.js';
import { SuppressionsController } from './routes/suppressions/suppressions.controller.js';
import { SmsController } from './routes/sms/sms.controller.js';
import { BILLING } from './billing/billing-calls.js';
import { webhookParts } from './webhooks/webhook-parts.js';
import { ConfirmWorkspaceHandler } from './accounts/workspaces/confirm-workspace.handler.js';
import { CreateWorkspaceHandler } from './accounts/workspaces/create-workspace.handler.js';
import { WorkspaceRecords } from './accounts/workspaces/workspace-records.handler.js';
import { WorkspaceStore } from './accounts/workspaces/workspace.store.js';

/**
 * The public edge. Its parts are made here, by hand: what depends on what can be read in one place.
 */
@Module({
  controllers: [
    OtpController,
    SmsController,
    MessagingController,
    SenderIdsController,
    SmsTemplatesController,
    SuppressionsController,
    OperatorRegistrationsController,
    PricingController,
    HealthController,
    ReferenceController,
    HomeController,
    LedgerController,
    CallbackController,
    AuthController,
    ConsoleWorkspaceController,
    ConsoleKeysController,
    ConsoleWebhookController,
    ConsoleRecordsController,
    OperatorWorkspacesController,
    OperatorCreditsController,
    OperatorKeysController,
    OperatorWebhookController,
    OperatorPlatformController,
    OperatorPlansController,
    OperatorPrefixesController,
    OperatorDeadLettersController,
    OperatorAccountsController,
    OperatorAuditController,
    OperatorMessagesController,
    OperatorCarriersController,
    OperatorSenderIdsController,
    ConsolePrefixesController,
    EventsController,
    WebhooksController,
    QuoteController,
    McpController,
  ],
})
export class GatewayModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(PlatformSettingsHolder) private readonly settings: PlatformSettingsHolder,
    @Inject(ProtectedSenderIds) private readonly senderIds: ProtectedSenderIds,
    @Inject(PrefixGuard) private readonly prefixes: PrefixGuard,
    @Inject(LIMITS) private readonly limits: Limits,
    @Inject(GatewayLease) private readonly lease: GatewayLease,
    @Inject(HeldDeadLetters) private readonly deadLetters: HeldDeadLetters,
  ) {}

  static async with(platform: Platform): Promise<DynamicModule> {
    const limits = await openLimits(platform);
    const { carrierAccounts, callbackSecret } = platform.config;
    const doors = await CallbackDoors.of(carrierAccounts, callbackSecret);
    return { module: GatewayModule, providers: createParts(platform, limits, doors) };
  }

  async onModuleInit(): Promise<void> {
    await onceAvailable(() => this.settings.load());
    await onceAvailable(() => this.senderIds.load());
    await this.limits.restore();
    this.lease.start();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.prefixes.start();
    await this.limits.start();
    this.deadLetters.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.prefixes.stop(), this.deadLetters.stop()]);
    await Promise.all([this.limits.stop(), this.lease.stop()]);
  }
}

function createParts(platform: Platform, limits: Limits, doors: CallbackDoors): Provider[] {
  const { config, clock, logger, rpc, bus } = platform;
  const { pool, url } = platform.database;
  const { limiter } = limits;
  const billing = rpc.client(billingCalls);
  const dispatch = rpc.client(dispatchCalls);
  const keys = new ApiKeyStore(pool);
  const lease = new GatewayLease({ url, pool, logger });
  const directory = new CachedKeyDirectory(keys, lease);
  const workspaces = new WorkspaceStore(pool);
  const settings = new PlatformSettingsHolder(new PlatformSettingsStore(pool), lease);
  const prices = new PriceListCache(billing, new PriceListVersionStore(pool), lease, clock);
  const senderIds = protectedSenderIds(pool, lease);
  for (const listener of [directory, settings, prices, senderIds]) lease.listen(listener);
  const inFlight = new InFlightKeys();
  const prefixes = new PrefixGuard(dispatch, clock, logger);
  const creating = new CreateWorkspaceHandler(billing, workspaces, keys, directory);
  const proxies = config.trustedProxies;
  const audit = new AuditStore(pool);
  const calls = new AuditedCalls(audit, logger, proxies);
  const parts: [token: unknown, part: object][] = [
    [PLATFORM, platform],
    [BILLING, billing],
    [DISPATCH, dispatch],
    [RATE_LIMITER, limiter],
    [CallbackGuard, new CallbackGuard(doors, limiter, proxies, clock, logger)],
    [PlatformSettingsHolder, settings],
    [LIMITS, limits],
    [GatewayLease, lease],
    [PriceListCache, prices],
    [PrefixGuard, prefixes],
    [LiftPrefixHandler, new LiftPrefixHandler(dispatch, prefixes)],
    [KeyGuard, new KeyGuard(directory, limiter, settings, proxies)],
    [DocumentGuard, new DocumentGuard(limiter, settings, proxies)],
    [OperatorGuard, new OperatorGuard(config.operatorToken, limiter, proxies)],
    [AuditStore, audit],
    [AuditedCalls, calls],
    [DeadLettersHandler, new DeadLettersHandler(platform.deadLetters)],
    [HeldDeadLetters, new HeldDeadLetters(platform.deadLetters, logger)],
    ...messageParts({
      ...{ billing, dispatch, limiter, inFlight, prefixes, prices, settings, senderIds },
      clock,
      logger,
    }),
    [PublishReportsHandler, new PublishReportsHandler(bus, clock)],
    ...webhookParts(rpc.client(webhooksCalls), { billing, inFlight, clock }),
    [LedgerHandler, new LedgerHandler(billing)],
    [ProtectedSenderIds, senderIds],
    ...workspaceParts({ workspaces, billing, keys, directory, creating }),
    ...consoleParts(platform, { limiter, settings, creating }),
  ];
  return parts.map(([provide, useValue]) => ({ provide, useValue }) as Provider);
}

function protectedSenderIds(pool: DatabasePool, lease: GatewayLease): ProtectedSenderIds {
  return new ProtectedSenderIds(new ProtectedSenderIdStore(pool), lease);
}

interface WorkspaceGround {
  workspaces: WorkspaceStore;
  billing: BillingCalls;
  keys: ApiKeyStore;
  directory: CachedKeyDirectory;
  creating: CreateWorkspaceHandler;
}

function workspaceParts(ground: WorkspaceGround): [token: unknown, part: object][] {
  const { workspaces, billing, keys, directory, creating } = ground;
  const records = new WorkspaceRecords(workspaces, billing, directory);
  return [
    [WorkspaceStore, workspaces],
    [CreateWorkspaceHandler, creating],
    [WorkspaceRecords, records],
    [ConfirmWorkspaceHandler, new ConfirmWorkspaceHandler(workspaces, billing, directory, records)],
    [ApiKeysHandler, new ApiKeysHandler(keys, directory)],
  ];
}
