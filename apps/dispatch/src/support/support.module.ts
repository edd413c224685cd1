import { Module } from '@nestjs/common';
import { EmailsModule } from '../emails/emails.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { EmailErasureStore } from './email-erasure.store.js';
import { EraseMessagesHandler } from './erase-messages.handler.js';
import { ErasureRpc } from './erasure.rpc.js';
import { OperatorSearchController } from './operator-search.controller.js';
import { OwnSearchController } from './own-search.controller.js';
import { SupportSearchHandler } from './support-search.handler.js';
import { TextErasureStore } from './text-erasure.store.js';

/** What operators ask about messages of customers, and erase from them. */
@Module({
  imports: [EmailsModule, MessagesModule],
  controllers: [OwnSearchController, OperatorSearchController, ErasureRpc],
  providers: [SupportSearchHandler, EraseMessagesHandler, TextErasureStore, EmailErasureStore],
})
export class SupportModule {}
