import { describe, expect, it } from '@jest/globals';
import type { FoundEmail } from '@watchword/contracts';
import { operatorMessage } from './operator-message.policy.js';

/** Every member that can hold something personal holds this word. */
const SECRET = 'lovelace';
const address = `ada.${SECRET}@example.com`;
const at = '2026-11-26T08:00:00.000Z';
const EMAIL = {
  kind: 'email',
  id: '01890000-0000-7000-8000-000000000000',
  workspace_id: '01890000-0000-7000-8000-000000000001',
  status: 'bounced',
  from: 'Acme <no-reply@acme.example>',
  to: [`Ada <${address}>`],
  cc: [address],
  bcc: [address],
  reply_to: [address],
  subject: `For ${SECRET}`,
  headers: { 'X-Customer': SECRET },
  attachments: [{ filename: `${SECRET}.pdf`, content_type: 'application/pdf', size_bytes: 1 }],
  tags: ['invoice'],
  metadata: { name: SECRET },
  recipients: [
    {
      address,
      status: 'bounced',
      bounce: { type: 'permanent', sub_type: 'no_email', code: '550 5.1.1', message: address },
    },
  ],
  message_id: '<01890000-0000-7000-8000-000000000000@acme.example>',
  timeline: [{ status: 'bounced', timestamp: at, recipient: address }],
  provider_attempts: [
    {
      provider: 'smtp',
      recipient: address,
      attempted_at: at,
      ok: false,
      provider_message_id: null,
      error_code: '550',
      error_message: `no such user ${address}`,
    },
  ],
  error_code: 'all_providers_failed',
  error_message: `no such user ${address}`,
  credits: 1,
  refunded: null,
  created_at: at,
  updated_at: at,
} as unknown as FoundEmail;

describe('an email for operators', () => {
  it('has nothing personal until it is revealed', () => {
    const hidden = operatorMessage(EMAIL, false);
    expect(JSON.stringify(hidden)).not.toContain(SECRET);
    // Of dispatch and billing alone.
    for (const member of ['credits', 'refunded', 'updated_at']) {
      expect(hidden).not.toHaveProperty(member);
    }
    expect(hidden).toMatchObject({
      kind: 'email',
      workspace_id: EMAIL.workspace_id,
      to: ['a•••••@example.com'],
      subject: null,
      recipients: [{ address: 'a•••••@example.com', status: 'bounced' }],
      revealed: false,
    });
    expect(operatorMessage(EMAIL, true)).toMatchObject({
      to: EMAIL.to,
      subject: EMAIL.subject,
      recipients: EMAIL.recipients,
      revealed: true,
    });
  });
});
