import type { MessageId, Reason, SmsDetails, WorkspaceId } from '@watchword/contracts';
import { rfc2822, sidOf } from './twilio-ids.policy.js';

/** Returns the status of a text in the words of Twilio Messaging. */
function statusOf({ status, reason, sent_at: sentAt }: SmsDetails): string {
  switch (status) {
    case 'sent':
    case 'delivered':
      return status;
    case 'scheduled':
      return 'scheduled';
    case 'cancelled':
      return 'canceled';
    case 'failed':
    case 'rejected':
    case 'blocked':
      if (reason === 'cancelled') return 'canceled';
      return sentAt === null ? 'failed' : 'undelivered';
    default:
      return 'queued';
  }
}

/** Twilio's codes for why a message was not delivered; 30008 is its "unknown error". */
const ERROR_CODES: Partial<Record<Reason, number>> = {
  absent_subscriber: 30_003,
  handset_error: 30_003,
  subscriber_barred: 30_004,
  dnd_active: 30_004,
  unknown_subscriber: 30_005,
  invalid_number: 30_005,
  unsupported_number: 30_006,
  no_route: 30_006,
  content_rejected: 30_007,
  antispam_blocked: 30_007,
  sender_id_rejected: 30_024,
  opted_out: 21_610,
  expired: 30_036,
};
const UNKNOWN_ERROR = 30_008;

/** Returns the body of a Message, as Twilio's interface of 2010 has it. Prices are not shown. */
export function twilioMessageOf(sms: SmsDetails, messagingService: string | null) {
  const { id, workspace_id: workspaceId, reason, created_at: createdAt, sent_at: sentAt } = sms;
  const account = sidOf('AC', workspaceId as WorkspaceId);
  const sid = sidOf('SM', id as MessageId);
  const status = statusOf(sms);
  const failed = status === 'failed' || status === 'undelivered';
  const uri = `/2010-04-01/Accounts/${account}/Messages/${sid}`;
  return {
    sid,
    account_sid: account,
    api_version: '2010-04-01',
    body: sms.body ?? '',
    date_created: rfc2822(createdAt),
    date_sent: rfc2822(sentAt),
    date_updated: rfc2822(sms.delivered_at ?? sentAt ?? createdAt),
    direction: 'outbound-api',
    error_code: failed ? (ERROR_CODES[reason as Reason] ?? UNKNOWN_ERROR) : null,
    error_message: failed ? (reason ?? null) : null,
    from: sms.from,
    messaging_service_sid: messagingService,
    num_media: '0',
    num_segments: String(sms.segments),
    price: null,
    price_unit: 'USD',
    status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: sms.to,
    uri: `${uri}.json`,
  };
}
