import { AuthController } from './account/auth.controller.js';
import { DeviceLogInsController } from './account/device-log-ins.controller.js';
import { LedgerController } from './account/ledger.controller.js';
import { CallbackController } from './callbacks/callback.controller.js';
import { PaymentCallbackController } from './callbacks/payment-callback.controller.js';
import { ConsoleKeysController } from './console/console-keys.controller.js';
import { ConsoleMessagesController } from './console/console-messages.controller.js';
import { ConsolePrefixesController } from './console/console-prefixes.controller.js';
import { ConsoleRecordsController } from './console/console-records.controller.js';
import { ConsoleWorkspaceController } from './console/console-workspace.controller.js';
import { EmailsController } from './emails/emails.controller.js';
import { AccountPagesController } from './links/account-pages.controller.js';
import { LinkHostsController } from './links/link-hosts.controller.js';
import { LinksController } from './links/links.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { OperatorAccountsController } from './operator/operator-accounts.controller.js';
import { OperatorAuditController } from './operator/operator-audit.controller.js';
import { OperatorDeadLettersController } from './operator/operator-dead-letters.controller.js';
import { OperatorDndController } from './operator/operator-dnd.controller.js';
import { OperatorErasuresController } from './operator/operator-erasures.controller.js';
import { OperatorKeysController } from './operator/operator-keys.controller.js';
import { OperatorPlatformEmailController } from './operator/operator-platform-email.controller.js';
import { OperatorPlatformController } from './operator/operator-platform.controller.js';
import { OperatorPrefixesController } from './operator/operator-prefixes.controller.js';
import { OperatorSenderIdsController } from './operator/operator-sender-ids.controller.js';
import { OperatorWorkspacesController } from './operator/operator-workspaces.controller.js';
import { OtpController } from './otp/otp.controller.js';
import { OwnedRoutesController } from './owned-routes.controller.js';
import { DocsController } from './public/docs.controller.js';
import { HealthController } from './public/health.controller.js';
import { HomeController } from './public/home.controller.js';
import { PricingController } from './public/pricing.controller.js';
import { ReferenceController } from './public/reference.controller.js';
import { WebController } from './public/web.controller.js';
import { QuoteController } from './quotes/quote.controller.js';
import { MessagingController } from './sms/messaging.controller.js';
import { SmsController } from './sms/sms.controller.js';
import { TwilioMessagesController } from './twilio/twilio-messages.controller.js';
import { TwilioVerifyController } from './twilio/twilio-verify.controller.js';

/** Every controller of the gateway. */
export const controllers = [
  AccountPagesController,
  AuthController,
  CallbackController,
  ConsoleKeysController,
  ConsoleMessagesController,
  ConsolePrefixesController,
  ConsoleRecordsController,
  ConsoleWorkspaceController,
  DeviceLogInsController,
  DocsController,
  EmailsController,
  HealthController,
  HomeController,
  LedgerController,
  LinkHostsController,
  LinksController,
  McpController,
  MessagingController,
  OperatorAccountsController,
  OperatorAuditController,
  OperatorDeadLettersController,
  OperatorDndController,
  OperatorErasuresController,
  OperatorKeysController,
  OperatorPlatformController,
  OperatorPlatformEmailController,
  OperatorPrefixesController,
  OperatorSenderIdsController,
  OperatorWorkspacesController,
  OtpController,
  OwnedRoutesController,
  PaymentCallbackController,
  PricingController,
  QuoteController,
  ReferenceController,
  SmsController,
  TwilioMessagesController,
  TwilioVerifyController,
  WebController,
];
