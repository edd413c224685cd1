import { Module } from '@nestjs/common';
import { EmailsModule } from '../emails/emails.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { SupportSearchHandler } from './support-search.handler.js';
import { SearchRpc } from './search.rpc.js';

/** What operators ask about messages of customers. */
@Module({
  imports: [EmailsModule, MessagesModule],
  controllers: [SearchRpc],
  providers: [SupportSearchHandler],
})
export class SupportModule {}
