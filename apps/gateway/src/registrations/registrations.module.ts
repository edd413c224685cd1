import { Module, type Provider } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { DestinationChecks } from './destination-checks.js';
import { DndHandler } from './dnd.handler.js';
import { LinkHostsHandler } from './link-hosts.handler.js';
import { RecipientTexts } from './recipient-texts.js';

const providers: Provider[] = [DestinationChecks, DndHandler, LinkHostsHandler, RecipientTexts];

/** What registrations say about a send, lists of numbers, and the hosts of links. */
@Module({ imports: [CallsModule, AccountsModule, LimitsModule], providers, exports: providers })
export class GatewayRegistrationsModule {}
