export { asyncApiDocument } from './asyncapi-document.js';
export * from './clock.js';
export { type GoldenMessage, goldenMessages } from './golden-messages.js';
export * from './ids.js';
export * from './list-cursor.js';
export * from './moment.js';
export * from './moment-cursor.js';
export * from './message-states.js';
export * from './reasons.js';
export * from './reason-sentences.js';
export * from './email-failures.js';
export * from './same-secret.js';
export type { ServiceName } from './service-name.js';
export * from './topic-settings.js';
export * from './topics.js';
export type { GrantUnit, SendLimit } from './channels/channel-contract.js';
export * from './channels/channel-contracts.js';
export * from './channels/channels.js';
export * from './channels/email/email-command.schema.js';
export * from './channels/otp/otp-content.schema.js';
export * from './channels/sms/sms-content.schema.js';
export * from './channels/sms/sms-fields.schema.js';
export * from './commands/refund-message.v1.js';
export * from './commands/send-message.v1.js';
export * from './commands/send-platform-email.v1.js';
export * from './errors/country-messages.js';
export * from './errors/error-catalogue.js';
export * from './errors/error-messages.js';
export * from './errors/input-problems.js';
export * from './errors/error-reference.js';
export * from './errors/key-mistakes.js';
export * from './errors/moment-of.js';
export * from './errors/unknown-resources.js';
export * from './errors/webhook-messages.js';
export * from './events/account-events.v1.js';
export * from './events/credit-events.v1.js';
export * from './events/delivery-report.v1.js';
export * from './events/email-events.v1.js';
export * from './events/email-report.v1.js';
export * from './events/inbound-message.v1.js';
export * from './events/message-events.v1.js';
export * from './events/prefix-events.v1.js';
export * from './events/webhook-event-names.js';
export * from './events/workspace-events.v1.js';
export * from './events/registration-events.v1.js';
export * from './rpc/all-calls.js';
export * from './rpc/billing-calls.js';
export * from './rpc/operations.js';
export * from './rpc/payment-calls.js';
export * from './rpc/quote-calls.js';
export * from './rpc/calls.js';
export * from './http/carrier.schema.js';
export * from './rpc/dispatch-calls.js';
export * from './rpc/destination-calls.js';
export * from './rpc/email-calls.js';
export * from './rpc/domain-calls.js';
export * from './rpc/erasure-calls.js';
export * from './rpc/sender-calls.js';
export * from './rpc/suppression-calls.js';
export * from './rpc/template-calls.js';
export * from './http/overview.schema.js';
export * from './rpc/webhooks-calls.js';
export * from './http/account.schema.js';
export * from './http/device-log-in.schema.js';
export * from './http/common.schema.js';
export * from './http/dnd.schema.js';
export * from './http/domain.schema.js';
export * from './http/email.schema.js';
export * from './http/erasure.schema.js';
export * from './http/agent.schema.js';
export * from './http/error.schema.js';
export * from './http/events.schema.js';
export * from './http/message-list.schema.js';
export * from './http/messaging.schema.js';
export * from './http/openapi.schema.js';
export * from './http/operator.schema.js';
export * from './http/otp.schema.js';
export * from './http/page.policy.js';
export * from './http/payment.schema.js';
export * from './http/pricing.schema.js';
export * from './http/quote.schema.js';
export * from './http/sender-id.schema.js';
export * from './http/sender-rules.schema.js';
export * from './http/sms-template.schema.js';
export * from './http/sms.schema.js';
export * from './http/webhook.schema.js';
export {
  acceptedEmail,
  emailMessageId,
  type EmailResource,
  emailResource,
} from './records/email.record.js';
export type { ListedMessage } from './http/listed-message.schema.js';
export * from './records/listed.record.js';
export { otpDetails } from './records/otp.record.js';
export { smsDetails, smsMessage, smsRecord } from './records/sms.record.js';
export * from './http/suppression.schema.js';
export * from './http/workspace-settings.schema.js';
export type {
  DeadLetters,
  FoundOwnMessage,
  MessagePage,
  OperatorAuditEntry,
  OperatorMessage,
  SessionAnswer,
  Workspace,
} from './openapi/answer.schema.js';
export * from './openapi/audiences.js';
export { openApiDocument } from './openapi/document.js';
export { asOpenApi30 } from './openapi/openapi-30.js';
export { exampleOfInput } from './openapi/example-of-input.js';
export { formOf } from './shapes.js';
export * from './routes/body-bounds.js';
export * from './routes/own-ids.js';
export * from './routes/permissions-reference.js';
export * from './routes/route.js';
export * from './routes/route-errors.policy.js';
export * from './routes/route-table.js';
export * from './routes/routes.js';
