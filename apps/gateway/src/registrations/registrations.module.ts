import { Module, type Provider } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { DestinationChecks } from './destination-checks.js';
import { DndHandler } from './dnd.handler.js';
import { DomainsHandler } from './domains.handler.js';
import { LinkHostsHandler } from './link-hosts.handler.js';
import { RecipientTexts } from './recipient-texts.js';
import { SenderRulesHandler } from './sender-rules.handler.js';
import { SendersHandler } from './senders.handler.js';
import { SuppressionsHandler } from './suppressions.handler.js';

const providers: Provider[] = [
  DestinationChecks,
  DndHandler,
  DomainsHandler,
  LinkHostsHandler,
  RecipientTexts,
  SenderRulesHandler,
  SendersHandler,
  SuppressionsHandler,
];

/** What workspaces register: sender IDs, domains, suppressions. */
@Module({ imports: [CallsModule, AccountsModule, LimitsModule], providers, exports: providers })
export class GatewayRegistrationsModule {}
