import type { ClientLogWriter } from '../invariants/client-log.ts';
import type { Operator } from '../support/operator.ts';
import type { Customer } from './client.ts';

const MESSAGE_EVENTS = [
  'otp.sent',
  'otp.delivered',
  'otp.verified',
  'otp.expired',
  'otp.failed',
  'sms.sent',
  'sms.delivered',
  'sms.failed',
];

interface WorkspaceOptions {
  credits?: number;
  prefixLimit?: number | null;
  /** Segments of a month's grant, which the load soon exceeds. */
  segments?: number;
  events?: string[];
}

/**
 * Opens the load's workspaces. Their webhooks are paths of one receiver; their limits are in the
 * log.
 */
export async function openWorkspaces(
  operator: Operator,
  receiverUrl: string,
  log: ClientLogWriter,
): Promise<{ usual: Customer[]; poor: Customer; narrow: Customer }> {
  await expectOk(operator, 'PATCH', '/settings', {
    limits: { ip_authenticated_per_minute: null, ip_unauthenticated_per_minute: null },
  });
  const open = async (name: string, options: WorkspaceOptions) => {
    const customer = await openWorkspace(operator, `${receiverUrl}/${name}`, options);
    const { id, webhook, limits } = customer;
    log.add('workspaces', { id, webhook, limits });
    return customer;
  };
  return {
    usual: [
      await open('first', { events: MESSAGE_EVENTS }),
      await open('second', { events: MESSAGE_EVENTS, segments: 60 }),
      await open('third', {}),
    ],
    poor: await open('poor', { credits: 300 }),
    narrow: await open('narrow', { prefixLimit: 20 }),
  };
}

async function openWorkspace(
  operator: Operator,
  url: string,
  { credits = 10_000_000, prefixLimit = null, segments = 0, events }: WorkspaceOptions,
): Promise<Customer> {
  const limits = {
    otp_sends_per_number_per_10_minutes: 3,
    otp_verifications_per_number_per_10_minutes: 10,
    sms_per_number_per_minute: 10,
    otp_sends_per_prefix_per_hour: prefixLimit,
  };
  const workspace = await operator.createWorkspace({
    credits,
    settings: { limits: { ...limits, key_per_minute: null, workspace_per_minute: null } },
  });
  if (segments > 0) {
    const plan = { sms_segments_per_month: segments };
    await expectOk(operator, 'PUT', `/workspaces/${workspace.id}/plan`, plan);
  }
  const secret = await operator.putWebhook(workspace, url, events);
  const webhook = { path: new URL(url).pathname, secret };
  const { id, liveKey } = workspace;
  return { id, liveKey, webhook, limits };
}

async function expectOk(operator: Operator, method: string, path: string, body: unknown) {
  const answer = await operator.request(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
}
