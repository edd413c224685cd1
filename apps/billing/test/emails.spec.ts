import { describe, expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { openWallet, send } from './billing.kit.js';
import { calls, useBilling } from './one-billing.kit.js';

useBilling();

function email(workspaceId: WorkspaceId, recipients: number, testMode = false) {
  const addresses = Array.from({ length: recipients }, (_, index) => `a${index}@example.com`);
  return send(workspaceId, {
    kind: 'email',
    family: 'b',
    test_mode: testMode,
    destination: addresses[0]!,
    country_code: '',
    network: null,
    segments: recipients,
    sms: null,
    email: {
      content_sha256: '0'.repeat(64),
      from_domain: 'acme.example',
      from: 'hello@acme.example',
      to: addresses,
      cc: [],
      bcc: [],
      reply_to: [],
      subject: '',
      headers: {},
      attachments: [],
      tags: [],
      category: 'transactional',
      track_opens: false,
      track_clicks: false,
      recipients: addresses,
    },
  });
}

describe('the acceptance of an email', () => {
  it('is quoted by what the plan leaves of its emails', async () => {
    const workspace = await openWallet(calls, 10);
    await calls.setPlan({
      workspace_id: workspace,
      sms_segments_per_month: 100,
      emails_per_month: 2,
    });
    const quote = await calls.quote({
      workspace_id: workspace,
      test_mode: false,
      kind: 'email',
      destination: 'ada@example.com',
      country_code: '',
      network: null,
      segments: 3,
    });
    expect(quote).toMatchObject({ verdict: 'quoted', credits: 3, due: 1 });
    const wanted = { ...email(workspace, 1), quote_id: newId() };
    expect(await calls.accept(wanted)).toEqual({ verdict: 'invalid_quote' });
  });
});
