import {
  PLATFORM_WORKSPACE_ID,
  type SendMessage,
  type SendPlatformEmail,
} from '@watchword/contracts';

/**
 * Returns the command of a platform email: one recipient, no price, no tracking, the platform's
 * workspace.
 */
export function platformCommand(given: SendPlatformEmail): SendMessage {
  return {
    message_id: given.message_id,
    workspace_id: PLATFORM_WORKSPACE_ID,
    test_mode: false,
    kind: 'email',
    family: 'b',
    destination: given.to,
    country_code: '',
    network: null,
    sender_id: null,
    segments: 1,
    credits: 0,
    price_rule: 'platform',
    metadata: {},
    created_at: given.created_at,
    sms: null,
    otp: null,
    email: {
      content_sha256: given.content_sha256,
      from_domain: given.from_domain,
      from: given.from,
      to: [given.to],
      cc: [],
      bcc: [],
      reply_to: [],
      subject: given.subject,
      // Automatic responders ignore such an email (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments: [],
      tags: [given.purpose],
      category: 'transactional',
      track_opens: false,
      track_clicks: false,
      recipients: [given.to],
    },
  };
}
