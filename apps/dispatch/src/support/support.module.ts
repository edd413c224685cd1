import { Module } from '@nestjs/common';
import { EmailsModule } from '../emails/emails.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { EmailErasureStore } from './email-erasure.store.js';
import { EraseMessagesHandler } from './erase-messages.handler.js';
import { ErasureRpc } from './erasure.rpc.js';
import { SupportSearchHandler } from './support-search.handler.js';
import { SearchRpc } from './search.rpc.js';
import { TextErasureStore } from './text-erasure.store.js';

/** What operators ask about messages of customers, and erase from them. */
@Module({
  imports: [EmailsModule, MessagesModule],
  controllers: [SearchRpc, ErasureRpc],
  providers: [SupportSearchHandler, EraseMessagesHandler, TextErasureStore, EmailErasureStore],
})
export class SupportModule {}
