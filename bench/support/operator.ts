/** Uses the operator API for benches: workspaces with raised limits. */
import { eventually } from '@watchword/testing';
import { request } from 'undici';

const unlimited = 1_000_000_000;

/** Every counter is still taken. */
const RAISED = {
  key_per_minute: unlimited,
  workspace_per_minute: unlimited,
  variant_b_per_second: unlimited,
  variant_b_burst: unlimited,
  otp_sends_per_number_per_10_minutes: unlimited,
  otp_verifications_per_number_per_10_minutes: unlimited,
  sms_per_number_per_minute: unlimited,
  otp_sends_per_prefix_per_hour: unlimited,
};

const SMS_ENDS = ['sms.delivered', 'sms.failed', 'sms.blocked'];

export interface WorkspacesWanted {
  url: string;
  operatorToken: string;
  count: number;
  key: 'live_key' | 'test_key';
  /** Endpoint for their SMS events. None by default. */
  webhookUrl?: string;
}

/** The key of each new workspace, all with plenty of credits. */
export async function makeWorkspaces(wanted: WorkspacesWanted): Promise<string[]> {
  const { url, operatorToken, count, key, webhookUrl } = wanted;
  const operator = operatorOf(url, operatorToken);
  await operator('PATCH', '/settings', {
    limits: { ip_authenticated_per_minute: unlimited },
  });
  const keys: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const workspace = await operator('POST', '/workspaces', {
      name: `Bench ${index}`,
      credits: 10_000_000_000,
      settings: { limits: RAISED },
    });
    keys.push(String(workspace[key]));
    if (webhookUrl === undefined) continue;
    await operator('PUT', `/workspaces/${String(workspace['workspace_id'])}/webhook`, {
      url: webhookUrl,
      events: SMS_ENDS,
    });
  }
  return keys;
}

function operatorOf(url: string, token: string) {
  return async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await request(`${url}/operator/v1${path}`, {
      method: method as 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await answer.body.json()) as Record<string, unknown>;
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  };
}

/** Resolves at the first answer with any status. */
export async function answers(url: string): Promise<void> {
  const answer = await eventually(() => request(url), 30_000, 50);
  await answer.body.dump();
}
