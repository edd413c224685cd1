import type { ServiceDefinition } from '@watchword/platform';
import { configureHttp } from './edge/server/configure-http.js';
import { createHttpAdapter } from './edge/server/http-adapter.js';
import { GatewayModule } from './gateway.module.js';
import { AccountEmails1795900000000 } from './migrations/account-emails.migration.js';
import { AccountWalls1795359600000 } from './migrations/account-walls.migration.js';
import { Accounts1763683320000 } from './migrations/accounts.migration.js';
import { AgentKeys1795700400000 } from './migrations/agent-keys.migration.js';
import { Changes1763683380000 } from './migrations/changes.migration.js';
import { EmailedPasswordResets1795910000000 } from './migrations/emailed-password-resets.migration.js';
import { Erasures1797000100000 } from './migrations/erasures.migration.js';
import { Gateway1763683200000 } from './migrations/gateway.migration.js';
import { KeyMakers1797110000000 } from './migrations/key-makers.migration.js';
import { KnownFounders1796600000000 } from './migrations/known-founders.migration.js';
import { ListedInvitations1797100000000 } from './migrations/listed-invitations.migration.js';
import { OperatorUsers1796900000000 } from './migrations/operator-users.migration.js';
import { PriceListChange1763683440000 } from './migrations/price-list-change.migration.js';
import { SavedCardNotices1797000000000 } from './migrations/saved-card-notices.migration.js';
import { RateLimitSnapshot1763683260000 } from './migrations/rate-limit-snapshot.migration.js';
import { SettingFloors1797120000000 } from './migrations/setting-floors.migration.js';

export { demoSeed, type DemoWorkspace } from './first-run/demo-seed.js';

/** The only public HTTP edge. */
export const gatewayService: ServiceDefinition = {
  name: 'gateway',
  migrations: [
    Gateway1763683200000,
    RateLimitSnapshot1763683260000,
    Accounts1763683320000,
    Changes1763683380000,
    PriceListChange1763683440000,
    AccountWalls1795359600000,
    AgentKeys1795700400000,
    AccountEmails1795900000000,
    EmailedPasswordResets1795910000000,
    KnownFounders1796600000000,
    OperatorUsers1796900000000,
    SavedCardNotices1797000000000,
    Erasures1797000100000,
    ListedInvitations1797100000000,
    KeyMakers1797110000000,
    SettingFloors1797120000000,
  ],
  oldestProgram: EmailedPasswordResets1795910000000,
  edge: { createAdapter: createHttpAdapter, configure: configureHttp },
  module: (platform) => GatewayModule.with(platform),
};
