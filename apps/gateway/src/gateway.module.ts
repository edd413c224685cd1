import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { CallbackEntryPoints } from '@watchword/carriers';
import { EmailSettings, HttpSettings, SecuritySettings, signUpRules } from '@watchword/config';
import { billingCalls, dispatchCalls, webhooksCalls } from '@watchword/contracts';
import { EmailComposer } from '@watchword/email';
import {
  BusModule,
  DatabaseModule,
  onceAvailable,
  PLATFORM,
  type Platform,
  RPC,
  SettingsModule,
} from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import type { Rpc } from '@watchword/rpc';
import { AuditStore } from './accounts/audit/audit.store.js';
import { ApiKeyStore } from './accounts/keys/api-key.store.js';
import { ApiKeysHandler } from './accounts/keys/api-keys.handler.js';
import { BatchedKeyDirectory } from './accounts/keys/batched-key-directory.adapter.js';
import { ProtectedSenderIds } from './accounts/sender-ids/protected-sender-ids.js';
import { ProtectedSenderIdStore } from './accounts/sender-ids/protected-sender-ids.store.js';
import { SettingsVersion } from './accounts/settings-version.js';
import { ConfirmWorkspaceHandler } from './accounts/workspaces/confirm-workspace.handler.js';
import { CreateWorkspaceHandler } from './accounts/workspaces/create-workspace.handler.js';
import { WorkspaceRecords } from './accounts/workspaces/workspace-records.handler.js';
import { WorkspaceStore } from './accounts/workspaces/workspace.store.js';
import { LedgerHandler } from './billing/ledger.handler.js';
import { PublicPriceListCache } from './billing/price-list.cache.js';
import { BILLING } from './calls/billing-calls.js';
import { DISPATCH } from './calls/dispatch-calls.js';
import { InFlightKeys } from './calls/in-flight-keys.js';
import { OWNERS, ownersBy } from './calls/owners.js';
import { WEBHOOKS } from './calls/webhooks-calls.js';
import { CallbackGuard } from './edge/guards/callback.guard.js';
import { DocumentGuard } from './edge/guards/document.guard.js';
import { KeyGuard } from './edge/guards/key.guard.js';
import { LinkGuard } from './edge/guards/link.guard.js';
import { OperatorGuard } from './edge/guards/operator.guard.js';
import { SessionGuard } from './edge/guards/session.guard.js';
import { AuditedCalls } from './edge/interceptors/audit.interceptor.js';
import { DailyLimits } from './limits/daily-limits.js';
import { FailureLimit } from './limits/failure-limit.js';
import { LiftPrefixHandler } from './limits/lift-prefix.handler.js';
import { openLimiter, RATE_LIMITER } from './limits/limits.js';
import { PlatformSettingsHolder } from './limits/platform-settings.js';
import { PlatformSettingsStore } from './limits/platform-settings.store.js';
import { PrefixGuard } from './limits/prefix-guard.js';
import {
  ADMISSION_BOUNDS,
  ADMISSION_TIME,
  BOUNDS,
  SendAdmission,
} from './limits/send-admission.js';
import { TrialWorkspaces } from './limits/trial-workspaces.js';
import { AcceptSendBatchHandler } from './messages/accept-batch.handler.js';
import { AcceptSendHandler } from './messages/accept-send.handler.js';
import { AccountEmailsJob } from './messages/account-emails/account-emails.job.js';
import { PlatformSender } from './messages/account-emails/platform-sender.js';
import { CountryWatch } from './messages/country-watch.js';
import { DeadLettersHandler } from './messages/dead-letters.handler.js';
import { BounceMessageHandler } from './messages/email/bounce-message.handler.js';
import { ComposeEmail } from './messages/email/compose-email.js';
import { EmailContents } from './messages/email/email-contents.js';
import { EmailHitsHandler } from './messages/email/email-hits.handler.js';
import { EmailSize } from './messages/email/email-size.js';
import { InboundSmtpListener } from './messages/email/inbound-smtp.listener.js';
import { PublishEmailReportsHandler } from './messages/email/publish-email-reports.handler.js';
import { ReadEmailsHandler } from './messages/email/read-emails.handler.js';
import { SendEmailHandler } from './messages/email/send-email.handler.js';
import { EraseHandler } from './messages/erasures/erase.handler.js';
import { ErasureStore } from './messages/erasures/erasure.store.js';
import { ErasuresJob } from './messages/erasures/erasures.job.js';
import { FindMessageHandler } from './messages/find-message.handler.js';
import { CancelOtpHandler } from './messages/otp/cancel-otp.handler.js';
import { OtpDestinations } from './messages/otp/otp-destinations.js';
import { ResendOtpHandler } from './messages/otp/resend-otp.handler.js';
import { SendOtpHandler } from './messages/otp/send-otp.handler.js';
import { VerifyCodeHandler } from './messages/otp/verify-otp.handler.js';
import { OwnMessagesHandler } from './messages/own-messages.handler.js';
import { PortedNumbers } from './messages/ported-numbers.js';
import { PublishReportsHandler } from './messages/publish-reports.handler.js';
import { KeyedQuotes } from './messages/quotes/keyed-quotes.js';
import { QuoteEmailHandler } from './messages/quotes/quote-email.handler.js';
import { QuoteHandler } from './messages/quotes/quote.handler.js';
import { RecentSends } from './messages/recent-sends.js';
import { CancelSmsHandler } from './messages/sms/cancel-sms.handler.js';
import { ComposeSms } from './messages/sms/compose-sms.js';
import { SendBatchHandler } from './messages/sms/send-batch.handler.js';
import { SendSmsHandler } from './messages/sms/send-sms.handler.js';
import { StoredDeadLetters } from './messages/stored-dead-letters.js';
import { TextLists } from './messages/text-lists.js';
import { AccountEmails } from './people/account-emails.js';
import { AccountsHandler } from './people/accounts.handler.js';
import { ConfirmEmailHandler } from './people/confirm-email.handler.js';
import { DeviceLogInStore } from './people/device-log-in.store.js';
import { DeviceLogInsHandler } from './people/device-log-ins.handler.js';
import { DeviceStore } from './people/device.store.js';
import { Devices } from './people/devices.js';
import { EmailConfirmationStore } from './people/email-confirmation.store.js';
import { EmailRequestStore } from './people/email-request.store.js';
import { InvitationStore } from './people/invitation.store.js';
import { InvitationsHandler } from './people/invitations.handler.js';
import { MembersHandler } from './people/members.handler.js';
import { PasswordHasher } from './people/password-hasher.js';
import { PasswordResetStore } from './people/password-reset.store.js';
import { PasswordsHandler } from './people/passwords.handler.js';
import { SessionStore } from './people/session.store.js';
import { Sessions } from './people/sessions.js';
import { SIGN_UP_RULES } from './people/sign-up.policy.js';
import { UserStore } from './people/user.store.js';
import { DestinationChecks } from './registrations/destination-checks.js';
import { DndHandler } from './registrations/dnd.handler.js';
import { LinkHostsHandler } from './registrations/link-hosts.handler.js';
import { RecipientTexts } from './registrations/recipient-texts.js';
import { controllers } from './routes/controllers.js';
import { RouteCallers } from './routes/route-callers.js';
import { EventStreams } from './webhooks/event-streams.js';

/** The public edge: its routes, and the start and stop of its background work. */
@Module({
  controllers,
  providers: [
    { provide: BILLING, useFactory: (rpc: Rpc) => rpc.client(billingCalls), inject: [RPC] },
    { provide: DISPATCH, useFactory: (rpc: Rpc) => rpc.client(dispatchCalls), inject: [RPC] },
    { provide: WEBHOOKS, useFactory: (rpc: Rpc) => rpc.client(webhooksCalls), inject: [RPC] },
    { provide: OWNERS, useFactory: ownersBy, inject: [RPC] },
    InFlightKeys,

    ApiKeyStore,
    ApiKeysHandler,
    AuditStore,
    BatchedKeyDirectory,
    ConfirmWorkspaceHandler,
    CreateWorkspaceHandler,
    ProtectedSenderIdStore,
    ProtectedSenderIds,
    SettingsVersion,
    WorkspaceRecords,
    WorkspaceStore,

    { provide: RATE_LIMITER, useFactory: openLimiter, inject: [PLATFORM] },
    { provide: ADMISSION_BOUNDS, useValue: BOUNDS },
    { provide: ADMISSION_TIME, useValue: () => performance.now() },
    DailyLimits,
    FailureLimit,
    LiftPrefixHandler,
    PlatformSettingsHolder,
    PlatformSettingsStore,
    PrefixGuard,
    SendAdmission,
    TrialWorkspaces,

    {
      provide: SIGN_UP_RULES,
      useFactory: ({ config }: Platform) => signUpRules(config),
      inject: [PLATFORM],
    },
    AccountEmails,
    AccountsHandler,
    ConfirmEmailHandler,
    DeviceLogInStore,
    DeviceLogInsHandler,
    DeviceStore,
    Devices,
    EmailConfirmationStore,
    EmailRequestStore,
    InvitationStore,
    InvitationsHandler,
    MembersHandler,
    PasswordHasher,
    PasswordResetStore,
    PasswordsHandler,
    SessionStore,
    Sessions,
    UserStore,

    DestinationChecks,
    DndHandler,
    EventStreams,
    LedgerHandler,
    LinkHostsHandler,
    PublicPriceListCache,
    RecipientTexts,

    { provide: EmailComposer, useFactory: () => new EmailComposer({ threads: 1 }) },
    AcceptSendBatchHandler,
    AcceptSendHandler,
    AccountEmailsJob,
    BounceMessageHandler,
    CancelOtpHandler,
    CancelSmsHandler,
    ComposeEmail,
    ComposeSms,
    CountryWatch,
    DeadLettersHandler,
    EmailContents,
    EmailHitsHandler,
    EmailSize,
    EraseHandler,
    ErasureStore,
    ErasuresJob,
    FindMessageHandler,
    InboundSmtpListener,
    KeyedQuotes,
    OtpDestinations,
    OwnMessagesHandler,
    PlatformSender,
    PortedNumbers,
    PublishEmailReportsHandler,
    PublishReportsHandler,
    QuoteEmailHandler,
    QuoteHandler,
    ReadEmailsHandler,
    RecentSends,
    ResendOtpHandler,
    SendBatchHandler,
    SendEmailHandler,
    SendOtpHandler,
    SendSmsHandler,
    StoredDeadLetters,
    TextLists,
    VerifyCodeHandler,

    {
      provide: CallbackEntryPoints,
      useFactory: ({ config }: Platform) =>
        CallbackEntryPoints.of(config.carrierAccounts, config.callbackSecrets),
      inject: [PLATFORM],
    },
    AuditedCalls,
    CallbackGuard,
    DocumentGuard,
    KeyGuard,
    LinkGuard,
    OperatorGuard,
    RouteCallers,
    SessionGuard,
  ],
})
export class GatewayModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly settings: PlatformSettingsHolder,
    private readonly senderIds: ProtectedSenderIds,
    private readonly settingsVersion: SettingsVersion,
    private readonly prefixes: PrefixGuard,
    private readonly deadLetters: StoredDeadLetters,
    private readonly inboundSmtp: InboundSmtpListener,
    private readonly accountEmails: AccountEmailsJob,
    private readonly erasures: ErasuresJob,
    private readonly composer: EmailComposer,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
  ) {}

  static with(platform: Platform): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        SettingsModule.with(platform, [HttpSettings, SecuritySettings, EmailSettings]),
        DatabaseModule.with(platform),
        BusModule.with(platform),
      ],
    };
  }

  async onModuleInit(): Promise<void> {
    for (const holder of [this.settings, this.senderIds]) {
      this.settingsVersion.onChange(() => holder.load());
      await onceAvailable(() => holder.load());
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.prefixes.start();
    this.deadLetters.start();
    await this.inboundSmtp.start();
    this.accountEmails.start();
    this.erasures.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.inboundSmtp.stop(), this.accountEmails.stop()]);
    await Promise.all([this.prefixes.stop(), this.deadLetters.stop(), this.erasures.stop()]);
    await this.limiter.close();
    await this.composer.close();
  }
}
