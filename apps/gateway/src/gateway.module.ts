import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { billingCalls, dispatchCalls, webhooksCalls } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import { createCallbackReaders } from '@watchword/providers';
import { MemoryRateLimiter, type RateLimiter } from '@watchword/rate-limit';
import { ApiKeyStore } from './auth/api-key.store.js';
import { CachedKeyDirectory } from './auth/cached-key-directory.adapter.js';
import { CALLBACK_READERS, CallbackController } from './callbacks/callback.controller.js';
import { PublishReportsHandler } from './callbacks/publish-reports.handler.js';
import { HealthController } from './health/health.controller.js';
import { CallerGate } from './http/caller-gate.js';
import { OperatorGate } from './http/operator-gate.js';
import { InFlightKeys } from './idempotency/in-flight-keys.js';
import { CounterStore } from './limits/counter.store.js';
import { KeptCounters } from './limits/kept-counters.js';
import { PlatformSettingsHolder } from './limits/platform-settings.js';
import { PlatformSettingsStore } from './limits/platform-settings.store.js';
import { AcceptSendHandler } from './messages/accept-send.handler.js';
import { CountryWatch } from './messages/country-watch.js';
import { FindMessageHandler } from './messages/find-message.handler.js';
import { OperatorAuditStore } from './operator/operator-audit.store.js';
import { OperatorCreditsController } from './operator/operator-credits.controller.js';
import { OperatorEdge } from './operator/operator-edge.js';
import { OperatorKeysController } from './operator/operator-keys.controller.js';
import { OperatorPlatformController } from './operator/operator-platform.controller.js';
import { OperatorWebhookController } from './operator/operator-webhook.controller.js';
import { OperatorWorkspacesController } from './operator/operator-workspaces.controller.js';
import { CancelOtpHandler } from './otp/cancel-otp.handler.js';
import { OtpController } from './otp/otp.controller.js';
import { OtpDestinations } from './otp/otp-destinations.js';
import { ResendOtpHandler } from './otp/resend-otp.handler.js';
import { SendOtpHandler } from './otp/send-otp.handler.js';
import { VerifyOtpHandler } from './otp/verify-otp.handler.js';
import { PriceListCache } from './pricing/price-list.cache.js';
import { PricingController } from './pricing/pricing.controller.js';
import { SendSmsHandler } from './sms/send-sms.handler.js';
import { SmsController } from './sms/sms.controller.js';
import { BILLING, KEY_DIRECTORY, RATE_LIMITER, WEBHOOKS } from './tokens.js';
import { CreateWorkspaceHandler } from './workspaces/create-workspace.handler.js';
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
    CallbackController,
    OperatorWorkspacesController,
    OperatorCreditsController,
    OperatorKeysController,
    OperatorWebhookController,
    OperatorPlatformController,
  ],
})
export class GatewayModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(PlatformSettingsHolder) private readonly settings: PlatformSettingsHolder,
    @Inject(KeptCounters) private readonly counters: KeptCounters,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
  ) {}

  static with(platform: Platform): DynamicModule {
    return { module: GatewayModule, providers: createParts(platform) };
  }

  async onModuleInit(): Promise<void> {
    await this.settings.load();
    await this.counters.restore();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.counters.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.counters.stop();
    await this.limiter.close();
  }
}

function createParts(platform: Platform): Provider[] {
  const { config, clock, logger, rpc, bus } = platform;
  const { pool } = platform.database;
  const billing = rpc.client(billingCalls);
  const dispatch = rpc.client(dispatchCalls);
  const keys = new ApiKeyStore(pool);
  const directory = new CachedKeyDirectory(keys);
  const workspaces = new WorkspaceStore(pool);
  const settings = new PlatformSettingsHolder(new PlatformSettingsStore(pool));
  const limiter = new MemoryRateLimiter({ clock });
  const inFlight = new InFlightKeys();
  const acceptance = new AcceptSendHandler(billing, limiter, inFlight);
  const countries = new CountryWatch(logger, clock);
  const destinations = new OtpDestinations(dispatch, billing);
  const proxies = config.trustedProxies;
  const parts: [token: unknown, part: object][] = [
    [PLATFORM, platform],
    [BILLING, billing],
    [WEBHOOKS, rpc.client(webhooksCalls)],
    [RATE_LIMITER, limiter],
    [KEY_DIRECTORY, directory],
    [CALLBACK_READERS, createCallbackReaders({ twilioAuthToken: config.twilioAuthToken })],
    [ApiKeyStore, keys],
    [WorkspaceStore, workspaces],
    [PlatformSettingsHolder, settings],
    [
      KeptCounters,
      new KeptCounters({ limiter, store: new CounterStore(pool), billing, clock, logger }),
    ],
    [PriceListCache, new PriceListCache(billing, clock)],
    [CallerGate, new CallerGate(directory, limiter, settings, proxies)],
    [OperatorGate, new OperatorGate(config.operatorToken, limiter, proxies)],
    [OperatorEdge, new OperatorEdge(new OperatorAuditStore(pool), logger, proxies)],
    [FindMessageHandler, new FindMessageHandler(dispatch, billing)],
    [SendOtpHandler, new SendOtpHandler(acceptance, countries, destinations)],
    [VerifyOtpHandler, new VerifyOtpHandler(dispatch, destinations, limiter, inFlight, clock)],
    [CancelOtpHandler, new CancelOtpHandler(dispatch, destinations, inFlight, clock)],
    [ResendOtpHandler, new ResendOtpHandler(acceptance, dispatch, destinations, countries, clock)],
    [SendSmsHandler, new SendSmsHandler(acceptance, countries)],
    [PublishReportsHandler, new PublishReportsHandler(bus, clock)],
    [CreateWorkspaceHandler, new CreateWorkspaceHandler(billing, workspaces, keys)],
  ];
  return parts.map(([provide, useValue]) => ({ provide, useValue }) as Provider);
}
