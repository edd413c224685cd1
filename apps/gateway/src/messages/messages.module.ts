import { Module, type Provider } from '@nestjs/common';
import { EmailComposer } from '@watchword/email';
import { AccountsModule } from '../accounts/accounts.module.js';
import { PublicPricesModule } from '../billing/prices.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PeopleModule } from '../people/people.module.js';
import { GatewayRegistrationsModule } from '../registrations/registrations.module.js';
import { AcceptSendBatchHandler } from './accept-batch.handler.js';
import { AcceptSendHandler } from './accept-send.handler.js';
import { AccountEmailsJob } from './account-emails/account-emails.job.js';
import { PlatformSender } from './account-emails/platform-sender.js';
import { CountryWatch } from './country-watch.js';
import { BounceMessageHandler } from './email/bounce-message.handler.js';
import { ComposeEmail } from './email/compose-email.js';
import { EmailContents } from './email/email-contents.js';
import { EmailSize } from './email/email-size.js';
import { EmailHitsHandler } from './email/email-hits.handler.js';
import { InboundSmtpListener } from './email/inbound-smtp.listener.js';
import { PublishEmailReportsHandler } from './email/publish-email-reports.handler.js';
import { ReadEmailsHandler } from './email/read-emails.handler.js';
import { SendEmailHandler } from './email/send-email.handler.js';
import { DeadLettersHandler } from './dead-letters.handler.js';
import { EraseHandler } from './erasures/erase.handler.js';
import { ErasureStore } from './erasures/erasure.store.js';
import { ErasuresJob } from './erasures/erasures.job.js';
import { FindMessageHandler } from './find-message.handler.js';
import { TextLists } from './text-lists.js';
import { StoredDeadLetters } from './stored-dead-letters.js';
import { CancelOtpHandler } from './otp/cancel-otp.handler.js';
import { OtpDestinations } from './otp/otp-destinations.js';
import { ResendOtpHandler } from './otp/resend-otp.handler.js';
import { SendOtpHandler } from './otp/send-otp.handler.js';
import { VerifyCodeHandler } from './otp/verify-otp.handler.js';
import { PortedNumbers } from './ported-numbers.js';
import { PublishReportsHandler } from './publish-reports.handler.js';
import { KeyedQuotes } from './quotes/keyed-quotes.js';
import { QuoteEmailHandler } from './quotes/quote-email.handler.js';
import { QuoteHandler } from './quotes/quote.handler.js';
import { OwnMessagesHandler } from './own-messages.handler.js';
import { RecentSends } from './recent-sends.js';
import { CancelSmsHandler } from './sms/cancel-sms.handler.js';
import { ComposeSms } from './sms/compose-sms.js';
import { SendBatchHandler } from './sms/send-batch.handler.js';
import { SendSmsHandler } from './sms/send-sms.handler.js';

const shared: Provider[] = [
  AcceptSendHandler,
  AcceptSendBatchHandler,
  CountryWatch,
  FindMessageHandler,
  PortedNumbers,
  RecentSends,
  TextLists,
  OwnMessagesHandler,
  KeyedQuotes,
  QuoteHandler,
  QuoteEmailHandler,
  PublishReportsHandler,
  DeadLettersHandler,
  StoredDeadLetters,
  ErasureStore,
  EraseHandler,
  ErasuresJob,
];

const otp: Provider[] = [
  OtpDestinations,
  SendOtpHandler,
  ResendOtpHandler,
  VerifyCodeHandler,
  CancelOtpHandler,
];

const sms: Provider[] = [ComposeSms, SendSmsHandler, SendBatchHandler, CancelSmsHandler];

const email: Provider[] = [
  { provide: EmailComposer, useFactory: () => new EmailComposer({ threads: 1 }) },
  EmailSize,
  ComposeEmail,
  EmailContents,
  SendEmailHandler,
  ReadEmailsHandler,
  EmailHitsHandler,
  PublishEmailReportsHandler,
  BounceMessageHandler,
  InboundSmtpListener,
  PlatformSender,
  AccountEmailsJob,
];

/** Sends, quotes, reads and cancels messages. */
@Module({
  imports: [
    AccountsModule,
    CallsModule,
    LimitsModule,
    PeopleModule,
    PublicPricesModule,
    GatewayRegistrationsModule,
  ],
  providers: [...shared, ...otp, ...sms, ...email],
  exports: [...shared, ...otp, ...sms, ...email],
})
export class GatewayMessagesModule {}
