/** Tests the agent endpoint through the official client, in the three versions it supports. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { connectAgent, CURRENT, OLDER } from './agent.kit.js';
import { UNLIMITED } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway();

async function agent(version: string): Promise<Client> {
  const { workspace_id } = await gateway.newWorkspace(UNLIMITED);
  const path = `/workspaces/${workspace_id}/keys`;
  const { body } = await gateway.operator('POST', path, { mode: 'live', permission: 'agent' });
  return connectAgent(gateway, body.key, version);
}

describe.each([CURRENT, ...OLDER])('version %s of the protocol', (version) => {
  let client: Client;
  beforeAll(async () => {
    client = await agent(version);
  });

  it('decisions 23: lists six tools with schemas of both sides; those that read say so', async () => {
    const { tools } = await client.listTools();
    const facts = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    expect(facts).toEqual([
      ['get_pricing', true],
      ['send_otp', false],
      ['verify_otp', false],
      ['get_otp', true],
      ['send_sms', false],
      ['get_sms', true],
    ]);
    for (const { inputSchema, outputSchema } of tools) {
      expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object']);
    }
    const sms = tools.find(({ name }) => name === 'send_sms')?.inputSchema;
    expect(sms?.required).toEqual(['to', 'from']);
    expect(Object.keys(sms?.properties ?? {})).toEqual(
      expect.arrayContaining(['send_at', 'template', 'idempotency_key', 'dry_run']),
    );
  });
});
