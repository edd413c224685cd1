import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { billingCalls, dispatchCalls, webhooksCalls } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import { createCallbackReaders } from '@watchword/carriers';
import { AuthController } from './accounts/auth.controller.js';
import { AuditStore } from './audit/audit.store.js';
import { AuditedCalls } from './audit/audited-calls.js';
import { ApiKeyStore } from './auth/api-key.store.js';
import { ApiKeysHandler } from './auth/api-keys.handler.js';
import { CachedKeyDirectory } from './auth/cached-key-directory.adapter.js';
import { EdgeLease } from './changes/edge-lease.js';
import { CALLBACK_READERS, CallbackController } from './callbacks/callback.controller.js';
import { PublishReportsHandler } from './callbacks/publish-reports.handler.js';
import { DashboardKeysController } from './dashboard/dashboard-keys.controller.js';
import { dashboardParts } from './dashboard/dashboard-parts.js';
import { DashboardPrefixesController } from './dashboard/dashboard-prefixes.controller.js';
import { DashboardRecordsController } from './dashboard/dashboard-records.controller.js';
import { DashboardWebhookController } from './dashboard/dashboard-webhook.controller.js';
import { DashboardWorkspaceController } from './dashboard/dashboard-workspace.controller.js';
import { EventsController } from './events/events.controller.js';
import { ListEventsHandler } from './events/list-events.handler.js';
import { HealthController } from './health/health.controller.js';
import { CallerGate } from './http/caller-gate.js';
import { OperatorGate } from './http/operator-gate.js';
import { InFlightKeys } from './idempotency/in-flight-keys.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { LedgerHandler } from './ledger/ledger.handler.js';
import { openLimits, type Limits } from './limits/limits.js';
import { LiftPrefixHandler } from './limits/lift-prefix.handler.js';
import { PlatformSettingsHolder } from './limits/platform-settings.js';
import { PlatformSettingsStore } from './limits/platform-settings.store.js';
import { PrefixGuard } from './limits/prefix-guard.js';
import { AcceptSendHandler } from './messages/accept-send.handler.js';
import { CountryWatch } from './messages/country-watch.js';
import { FindMessageHandler } from './messages/find-message.handler.js';
import { ListMessagesHandler } from './messages/list-messages.handler.js';
import { RecentSends } from './messages/recent-sends.js';
import { OperatorCreditsController } from './operator/operator-credits.controller.js';
import { DeadLettersHandler } from './operator/dead-letters.handler.js';
import { OperatorDeadLettersController } from './operator/operator-dead-letters.controller.js';
import { OperatorEdge } from './operator/operator-edge.js';
import { OperatorKeysController } from './operator/operator-keys.controller.js';
import { OperatorPlatformController } from './operator/operator-platform.controller.js';
import { OperatorPlansController } from './operator/operator-plans.controller.js';
import { OperatorPrefixesController } from './operator/operator-prefixes.controller.js';
import { OperatorWebhookController } from './operator/operator-webhook.controller.js';
import { OperatorWorkspacesController } from './operator/operator-workspaces.controller.js';
import { CancelOtpHandler } from './otp/cancel-otp.handler.js';
import { OtpController } from './otp/otp.controller.js';
import { OtpDestinations } from './otp/otp-destinations.js';
import { ResendOtpHandler } from './otp/resend-otp.handler.js';
import { SendOtpHandler } from './otp/send-otp.handler.js';
import { VerifyOtpHandler } from './otp/verify-otp.handler.js';
import { PriceListCache } from './pricing/price-list.cache.js';
import { PriceListVersionStore } from './pricing/price-list-version.store.js';
import { PricingController } from './pricing/pricing.controller.js';
import { ReferenceController } from './reference/reference.controller.js';
import { QuoteController } from './quotes/quote.controller.js';
import { QuoteHandler } from './quotes/quote.handler.js';
import { SendSmsHandler } from './sms/send-sms.handler.js';
import { SmsController } from './sms/sms.controller.js';
import { BILLING, LIMITS, RATE_LIMITER } from './tokens.js';
import { WorkspaceWebhookHandler } from './webhook/workspace-webhook.handler.js';
import { CreateWorkspaceHandler } from './workspaces/create-workspace.handler.js';
import { WorkspaceRecords } from './workspaces/workspace-records.handler.js';
import { WorkspaceStore } from './workspaces/workspace.store.js';

/**
 * The public edge. Its parts are made here, by hand: what depends on what can be read in one place.
 */
@Module({
  controllers: [
    OtpController,
    SmsController,
    PricingController,
    HealthController,
    ReferenceController,
    LedgerController,
    CallbackController,
    AuthController,
    DashboardWorkspaceController,
    DashboardKeysController,
    DashboardWebhookController,
    DashboardRecordsController,
    OperatorWorkspacesController,
    OperatorCreditsController,
    OperatorKeysController,
    OperatorWebhookController,
    OperatorPlatformController,
    OperatorPlansController,
    OperatorPrefixesController,
    OperatorDeadLettersController,
    DashboardPrefixesController,
    EventsController,
    QuoteController,
  ],
})
export class GatewayModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(PlatformSettingsHolder) private readonly settings: PlatformSettingsHolder,
    @Inject(PrefixGuard) private readonly prefixes: PrefixGuard,
    @Inject(LIMITS) private readonly limits: Limits,
    @Inject(EdgeLease) private readonly lease: EdgeLease,
  ) {}

  static async with(platform: Platform): Promise<DynamicModule> {
    const limits = await openLimits(platform);
    return { module: GatewayModule, providers: createParts(platform, limits) };
  }

  async onModuleInit(): Promise<void> {
    await this.settings.load();
    await this.limits.restore();
    this.lease.start();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.prefixes.start();
    await this.limits.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prefixes.stop();
    await Promise.all([this.limits.stop(), this.lease.stop()]);
  }
}

function createParts(platform: Platform, limits: Limits): Provider[] {
  const { config, clock, logger, rpc, bus } = platform;
  const { pool, url } = platform.database;
  const { limiter } = limits;
  const billing = rpc.client(billingCalls);
  const dispatch = rpc.client(dispatchCalls);
  const keys = new ApiKeyStore(pool);
  const lease = new EdgeLease({ url, pool, logger });
  const directory = new CachedKeyDirectory(keys, lease);
  const workspaces = new WorkspaceStore(pool);
  const settings = new PlatformSettingsHolder(new PlatformSettingsStore(pool), lease);
  const prices = new PriceListCache(billing, new PriceListVersionStore(pool), lease, clock);
  for (const listener of [directory, settings, prices]) lease.listen(listener);
  const inFlight = new InFlightKeys();
  const recent = new RecentSends(billing, dispatch, clock);
  const acceptance = new AcceptSendHandler(billing, limiter, inFlight);
  const countries = new CountryWatch(logger, clock);
  const destinations = new OtpDestinations(dispatch, billing);
  const prefixes = new PrefixGuard(dispatch, clock, logger);
  const sendOtp = new SendOtpHandler(acceptance, countries, prefixes, destinations);
  const creating = new CreateWorkspaceHandler(billing, workspaces, keys);
  const proxies = config.trustedProxies;
  const audit = new AuditStore(pool);
  const calls = new AuditedCalls(audit, logger, proxies);
  const parts: [token: unknown, part: object][] = [
    [PLATFORM, platform],
    [BILLING, billing],
    [RATE_LIMITER, limiter],
    [CALLBACK_READERS, createCallbackReaders({ twilioAuthToken: config.twilioAuthToken })],
    [WorkspaceStore, workspaces],
    [PlatformSettingsHolder, settings],
    [LIMITS, limits],
    [EdgeLease, lease],
    [PriceListCache, prices],
    [PrefixGuard, prefixes],
    [LiftPrefixHandler, new LiftPrefixHandler(dispatch, prefixes)],
    [ListEventsHandler, new ListEventsHandler(rpc.client(webhooksCalls))],
    [CallerGate, new CallerGate(directory, limiter, settings, proxies)],
    [OperatorGate, new OperatorGate(config.operatorToken, limiter, proxies)],
    [AuditStore, audit],
    [AuditedCalls, calls],
    [OperatorEdge, new OperatorEdge(calls)],
    [DeadLettersHandler, new DeadLettersHandler(platform.deadLetters)],
    [FindMessageHandler, new FindMessageHandler(dispatch, billing)],
    [ListMessagesHandler, new ListMessagesHandler(dispatch, prices, recent)],
    [SendOtpHandler, sendOtp],
    [QuoteHandler, new QuoteHandler(billing, limiter, prefixes, dispatch, sendOtp, inFlight)],
    [VerifyOtpHandler, new VerifyOtpHandler(dispatch, destinations, limiter, inFlight, clock)],
    [CancelOtpHandler, new CancelOtpHandler(dispatch, destinations, inFlight, clock)],
    [
      ResendOtpHandler,
      new ResendOtpHandler(acceptance, dispatch, destinations, countries, prefixes, clock),
    ],
    [SendSmsHandler, new SendSmsHandler(acceptance, countries, prefixes)],
    [PublishReportsHandler, new PublishReportsHandler(bus, clock)],
    [CreateWorkspaceHandler, creating],
    [WorkspaceRecords, new WorkspaceRecords(workspaces, billing, directory)],
    [ApiKeysHandler, new ApiKeysHandler(keys, directory)],
    [WorkspaceWebhookHandler, new WorkspaceWebhookHandler(rpc.client(webhooksCalls), billing)],
    [LedgerHandler, new LedgerHandler(billing)],
    ...dashboardParts(platform, { limiter, settings, creating, calls }),
  ];
  return parts.map(([provide, useValue]) => ({ provide, useValue }) as Provider);
}
