import type { ServiceDefinition } from '@watchword/platform';
import { sqlFolder } from '@watchword/postgres';
import { DispatchModule } from './dispatch.module.js';
import { EMAIL_CONTENT_PURPOSE } from './emails/email-content.store.js';
import { DKIM_PURPOSE } from './registrations/domains/email-domain.store.js';
import { CODE_PURPOSE } from './verification/otp-secrets.js';
import { AntiSpam1795392000000 } from './migrations/anti-spam.migration.js';
import { AntiSpamSettings1796800000000 } from './migrations/anti-spam-settings.migration.js';
import { CarrierChoices1795702000000 } from './migrations/carrier-choices.migration.js';
import { EmailDomainChecks1796300000000 } from './migrations/email-domain-checks.migration.js';
import { EmailRegistrations1795703000000 } from './migrations/email-registrations.migration.js';
import { ContentRetention1795820000000 } from './migrations/content-retention.migration.js';
import { DoNotDisturb1795600120000 } from './migrations/do-not-disturb.migration.js';
import { Emails1795704000000 } from './migrations/emails.migration.js';
import { EnforcedCountries1795810060000 } from './migrations/enforced-countries.migration.js';
import {
  FoldedColumns1797000120000,
  FoldedSenderIds1797000121000,
} from './migrations/folded-sender-ids.migration.js';
import { FormerMessageFunctions1796700000000 } from './migrations/former-functions.migration.js';
import { Guesses1795399200000 } from './migrations/guesses.migration.js';
import { HeldAttempts1796700001000 } from './migrations/held-attempts.migration.js';
import { HeldBy1795810000000 } from './migrations/held-by.migration.js';
import { LostAnswers1795700060000 } from './migrations/lost-answers.migration.js';
import { MessageList1795219260000 } from './migrations/message-list.migration.js';
import { MessageSearch1795701000000 } from './migrations/message-search.migration.js';
import { MessageParts1796600000000 } from './migrations/message-parts.migration.js';
import { Messages1795219200000 } from './migrations/messages.migration.js';
import { NumberNetworks1796900060000 } from './migrations/number-networks.migration.js';
import { OnlyWhatIsThere1795403000000 } from './migrations/only-what-is-there.migration.js';
import { OtpLife1795305600000 } from './migrations/otp-life.migration.js';
import {
  BoundMessages1796400000000,
  CheckedMessages1796400001000,
  PartitionedMessages1796400002000,
} from './migrations/partitioned-messages.migration.js';
import { PrefixGuard1795392060000 } from './migrations/prefix-guard.migration.js';
import { RecordedAmbiguity1795395600000 } from './migrations/recorded-ambiguity.migration.js';
import { ScheduledMessages1795700000000 } from './migrations/scheduled-messages.migration.js';
import { SenderIds1795600060000 } from './migrations/sender-ids.migration.js';
import { SenderRules1796900000000 } from './migrations/sender-rules.migration.js';
import { SenderPlaces1796100000000 } from './migrations/sender-places.migration.js';
import { SilenceableOutbox1795710000000 } from './migrations/silenceable-outbox.migration.js';
import { TemporaryRefusals1795910000000 } from './migrations/temporary-refusals.migration.js';
import { SharedSenderIds1796500000000 } from './migrations/shared-sender-ids.migration.js';
import { StoredBytes1797000000000 } from './migrations/stored-bytes.migration.js';
import { Suspensions1795600180000 } from './migrations/suspensions.migration.js';
import { ToldHits1797000001000 } from './migrations/told-hits.migration.js';
import { Templates1795600000000 } from './migrations/templates.migration.js';

export const dispatchService: ServiceDefinition = {
  name: 'dispatch',
  migrations: [
    Messages1795219200000,
    MessageList1795219260000,
    OtpLife1795305600000,
    AntiSpam1795392000000,
    PrefixGuard1795392060000,
    RecordedAmbiguity1795395600000,
    Guesses1795399200000,
    OnlyWhatIsThere1795403000000,
    Templates1795600000000,
    SenderIds1795600060000,
    DoNotDisturb1795600120000,
    Suspensions1795600180000,
    ScheduledMessages1795700000000,
    LostAnswers1795700060000,
    MessageSearch1795701000000,
    CarrierChoices1795702000000,
    EmailRegistrations1795703000000,
    Emails1795704000000,
    SilenceableOutbox1795710000000,
    HeldBy1795810000000,
    EnforcedCountries1795810060000,
    ContentRetention1795820000000,
    TemporaryRefusals1795910000000,
    SenderPlaces1796100000000,
    EmailDomainChecks1796300000000,
    BoundMessages1796400000000,
    CheckedMessages1796400001000,
    PartitionedMessages1796400002000,
    SharedSenderIds1796500000000,
    MessageParts1796600000000,
    FormerMessageFunctions1796700000000,
    HeldAttempts1796700001000,
    AntiSpamSettings1796800000000,
    SenderRules1796900000000,
    NumberNetworks1796900060000,
    StoredBytes1797000000000,
    ToldHits1797000001000,
    FoldedColumns1797000120000,
    FoldedSenderIds1797000121000,
  ],
  oldestProgram: SharedSenderIds1796500000000,
  functions: sqlFolder(import.meta.url),
  sealed: [
    {
      table: 'messages',
      key: { id: 'uuid' },
      column: 'code_cipher',
      type: 'base64',
      purpose: CODE_PURPOSE,
    },
    {
      table: 'email_contents',
      key: { workspace_id: 'uuid', sha256: 'text' },
      column: 'content_cipher',
      type: 'bytea',
      purpose: EMAIL_CONTENT_PURPOSE,
    },
    {
      table: 'email_domains',
      key: { id: 'uuid' },
      column: 'private_key',
      type: 'bytea',
      purpose: DKIM_PURPOSE,
    },
  ],
  module: (platform) => DispatchModule.with(platform),
};
