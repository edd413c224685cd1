import { EXAMPLE_ID } from '../routes/examples.js';
import { NAMES_OF_B } from './webhooks.js';
import type { Word } from './words.js';

const REASON_OF_MESSAGE: Word = ['Why the message failed, as a stable token.', 'carrier_rejected'];
const REASON_FOR_AUDIT: Word = ['Why, for the audit.', 'Confirmed with the customer by phone.'];
const PAYMENT_PROVIDER: Word = ['The payment provider.', 'paystack'];
const WORKSPACE_NAME: Word = ['Name of the workspace.', 'Acme'];
const USER_NAME: Word = ['Name of the user.', 'Ada'];
const KIND_OF_TOP_UP: Word = ['Where the credits come from.', 'purchase'];
const EMAIL_ADDRESS: Word = ['The email address.', 'ada@example.com'];
const KIND_OF_MESSAGE: Word = ['Kind of the message.', 'sms'];

/**
 * What a name means in one place, where that differs from `WORDS`: `Schema.member` for a member of
 * a named schema, `member.member` for one inside another member, `operationId.parameter` for a parameter.
 */
export const WORDS_BY_PLACE: Readonly<Record<string, Word>> = {
  'error.type': ['Kind of the error: match on it.', 'validation_error'],
  'error.message': ['What went wrong, in words that may change.', 'The request is malformed.'],
  'BatchItemError.type': ['Kind of the error: match on it.', 'phone_invalid'],
  'BatchItemError.message': ['What went wrong, in words that may change.', 'to is not in E.164.'],
  'data.error': ['Why the item was refused; absent where it was accepted.'],
  'gates.type': ['Kind of the error that the send would get.', 'insufficient_credits'],
  'gates.message': ['What to know about the verdict.', 'The balance is too low.'],
  'bounce.type': ['`permanent`: the address gets no further email. `transient`: it may.'],
  'bounce.code': ['Status code of the receiving server; null without one.', '5.1.1'],
  'bounce.message': ['What the receiving server said.', '550 5.1.1 no such user'],
  ...Object.fromEntries(
    ['Email', 'ListedEmail', 'FoundEmail'].flatMap((name): [string, Word][] => [
      [`${name}.from`, ['Mailbox of the sender.', 'Acme <hello@mail.example.com>']],
      [`${name}.to`, ['Mailboxes of the recipients.', ['Ada <ada@example.com>']]],
      [`${name}.error_code`, ['Why the email failed; null unless it did.', 'all_providers_failed']],
      [`${name}.error_message`, ['Why the email failed, in words.', 'No provider took the email.']],
    ]),
  ),
  'PlatformEmail.from': [
    'Mailbox of the sender; null where none is set.',
    'Acme <accounts@mail.example.com>',
  ],
  'deletePlatformSuppression.address': EMAIL_ADDRESS,
  'deleteWorkspaceSuppression.address': EMAIL_ADDRESS,
  'provider_attempts.error_code': ['What went wrong, as a code of the provider.', '451'],
  'provider_attempts.error_message': ['What went wrong, in words.', 'Try again later.'],
  'recipients.address': EMAIL_ADDRESS,
  'recipients.status': ['State of the copy for this recipient.', 'delivered'],
  'Quote.encoding': ['Alphabet of the text: `GSM-7` or `UCS-2`; `UTF-8` of an email.', 'GSM-7'],
  'DeviceLogInStarted.interval': ['Seconds to wait between two polls.', 5],
  'DevicePoll.status': [
    'State of the log-in, in the words of RFC 8628; `approved` has the key.',
    'authorization_pending',
  ],
  'timeline.status': ['State that the message reached.', 'delivered'],
  'TimelineHop.status': ['State that the message reached.', 'delivered'],
  'timeline.reason': REASON_OF_MESSAGE,
  'TimelineHop.reason': REASON_OF_MESSAGE,
  'countries.name': ['Name of the country.', 'Nigeria'],
  'networks.name': ['Name of the network.', 'MTN'],
  'countries.credits': ['Credits of a segment where no network has a price of its own.', 5],
  'resends.credits': ['Credits of the charge.', 5],
  'networks.credits': ['Credits of a segment to this network.', 4],
  'reviews.status': ['Decision for this country.', 'approved'],
  'DomainRecord.type': ['Type of the DNS record.', 'TXT'],
  'DomainRecord.problem': [
    'What disturbs, where the status is `failed`: another record, or a term that receivers refuse.',
    null,
  ],
  'DomainRecord.name': ['Name of the DNS record, in full.', 'send.mail.example.com'],
  'DomainRecord.status': ['Whether DNS has the record.', 'verified'],
  'AuditRecord.status': ['HTTP status of the answer; null if there was none.', 200],
  'PlatformAuditRecord.status': ['HTTP status of the answer; null if there was none.', 200],
  'actor.type': ['Whether a user or the bearer of the operator token called.', 'user'],
  'UserActor.type': ['A user of the workspace.'],
  'OperatorActor.type': ['An operator of the platform.'],
  'LedgerEntry.kind': ['What the entry is for.', 'charge'],
  'TopUp.kind': KIND_OF_TOP_UP,
  'CreateTopUpRequest.kind': KIND_OF_TOP_UP,
  ...Object.fromEntries(
    ['QuoteOtp', 'QuoteTransactionalSms', 'QuoteMessage', 'QuoteEmail'].map((name) => [
      `${name}.kind`,
      ['What would be sent.'] as const,
    ]),
  ),
  ...Object.fromEntries(
    ['ListedOtp', 'ListedSms', 'FoundOtp', 'FoundSms', 'FoundEmail'].map((name) => [
      `${name}.kind`,
      KIND_OF_MESSAGE,
    ]),
  ),
  ...Object.fromEntries(
    ['CreatePaymentRequest', 'Payment', 'OperatorPayment', 'authorisation'].map((name) => [
      `${name}.provider`,
      PAYMENT_PROVIDER,
    ]),
  ),
  ...Object.fromEntries(
    [
      'LiftOwnPrefixRequest',
      'UpdateWorkspaceRequest',
      'ReviewSenderIdRequest',
      'DiscardDeadLettersRequest',
    ].map((name) => [`${name}.reason`, REASON_FOR_AUDIT]),
  ),
  'CarrierAccount.carrier': ['Carrier of the account.', 'twilio'],
  'CarrierAccount.reason': [
    'The error that opened the circuit; null while it is closed.',
    'provider_unavailable',
  ],
  'DeadLetters.reason': ['Why the messages could not be handled.', 'the payload is not JSON'],
  'WebhookDelivery.replay_of': [
    'The delivery that this one repeats; null for a first one.',
    EXAMPLE_ID,
  ],
  'WebhookDelivery.attempts': ['The attempts, oldest first.'],
  'WorkspaceWebhookDelivery.attempts': ['The attempts, oldest first.'],
  'WorkspaceWebhook.status': ['Whether events are delivered: `enabled` or `disabled`.', 'enabled'],
  'Health.status': ['`ok`.', 'ok'],
  'Readiness.status': ['`unavailable` is a 503.', 'ready'],
  'SmsTemplate.variables': ['Names of the placeholders of the text.', ['name', 'order']],
  'SenderRule.quiet_hours': ['Hours without promotional messages; null for none.'],
  'anti_spam_allow.sender_ids': ['Sender IDs whose texts are not judged.', ['Acme']],
  'removeMember.keys': ['What becomes of the API keys that the member made.', 'revoke'],
  'ApiKey.prefix': ['First characters of the key.', 'svc_live_Xa3f'],
  'user.name': USER_NAME,
  'Member.name': USER_NAME,
  'OperatorUser.name': USER_NAME,
  'SignUpRequest.name': USER_NAME,
  'Workspace.name': WORKSPACE_NAME,
  'CreatedWorkspace.name': WORKSPACE_NAME,
  'CreateWorkspaceRequest.name': WORKSPACE_NAME,
  'UpdateWorkspaceRequest.name': WORKSPACE_NAME,
  'UpdateOwnWorkspaceRequest.name': WORKSPACE_NAME,
};

const SUBSCRIBABLE = [...NAMES_OF_B, '*'];

/** Names of events, by place. The service of webhooks checks them, so their schemas take any text. */
export const NAMES_BY_PLACE: Readonly<Record<string, readonly string[]>> = {
  'CreateWebhookRequest.events': SUBSCRIBABLE,
  'UpdateWebhookRequest.events': SUBSCRIBABLE,
  'Webhook.events': SUBSCRIBABLE,
  'CreatedWebhook.events': SUBSCRIBABLE,
  'TestWebhookRequest.type': NAMES_OF_B,
  'WebhookDelivery.event_type': NAMES_OF_B,
};
