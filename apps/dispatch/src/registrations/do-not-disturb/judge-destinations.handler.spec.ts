import { describe, expect, it } from '@jest/globals';
import { asId, type WorkspaceId } from '@watchword/contracts';
import type { ListedFinding } from './destination.store.js';
import { JudgeDestinationsHandler } from './judge-destinations.handler.js';

const question = (destination: string) => ({
  workspace_id: asId<WorkspaceId>('w'),
  sender_id: 'Acme',
  country_code: 'NG',
  destination,
});
const found = (change: Partial<ListedFinding> = {}): ListedFinding => ({
  sender: 'usable',
  refusal: null,
  whitelisted: false,
  network: null,
  ...change,
});

function judge(findings: ListedFinding[], numbers: string[], listed: string[]) {
  const asked: string[][] = [];
  const registry = {
    listed: async (given: readonly string[]) => {
      asked.push([...given]);
      return new Set(listed);
    },
    close: async () => undefined,
  };
  const rules = { current: async () => ({ enforcement: 'off', countries: {} }) as const };
  const handler = new JudgeDestinationsHandler({ judge: async () => findings }, registry, rules);
  return handler.judge(numbers.map(question), new Date()).then((answer) => ({ answer, asked }));
}

describe('the judgement of destinations', () => {
  it('asks the registry once for a batch, each number once', async () => {
    const { answer, asked } = await judge([found(), found(), found()], ['+1', '+2', '+1'], ['+1']);
    expect(asked).toEqual([['+1', '+2']]);
    expect(answer.map(({ refusal }) => refusal)).toEqual(['dnd', null, 'dnd']);
  });

  it('does not ask about what a list refuses, or a whitelisted sender writes to', async () => {
    const findings = [
      found({ refusal: 'dnd' }),
      found({ refusal: 'opted_out' }),
      found({ whitelisted: true }),
    ];
    const { answer, asked } = await judge(findings, ['+1', '+2', '+3'], ['+1', '+2', '+3']);
    expect(asked).toEqual([]);
    expect(answer).toEqual([
      { sender: 'usable', refusal: 'dnd', network: null },
      { sender: 'usable', refusal: 'opted_out', network: null },
      { sender: 'usable', refusal: null, network: null },
    ]);
  });

  it('passes on the network of a ported number', async () => {
    const { answer } = await judge([found({ network: 'airtel_ng' })], ['+1'], []);
    expect(answer).toEqual([{ sender: 'usable', refusal: null, network: 'airtel_ng' }]);
  });

  it('lets a whitelisted sender pass where another one writes to the number too', async () => {
    const { answer } = await judge([found({ whitelisted: true }), found()], ['+1', '+1'], ['+1']);
    expect(answer.map(({ refusal }) => refusal)).toEqual([null, 'dnd']);
  });
});
