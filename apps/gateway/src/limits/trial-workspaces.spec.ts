import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import type { WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { TrialWorkspaces } from './trial-workspaces.js';

let asked: number;
let purchased: number;
let trials: TrialWorkspaces;

beforeEach(() => {
  [asked, purchased] = [0, 0];
  const getAccount = async () => {
    asked += 1;
    return { purchased_credits: purchased } as never;
  };
  trials = new TrialWorkspaces({ getAccount });
});

function sender(mode: 'live' | 'test', more: Partial<WorkspaceView> = {}) {
  const workspace = { id: newId(), origin: 'sign_up', trialCreditsPending: 0, ...more };
  return { mode, workspace: workspace as WorkspaceView };
}

describe('trial workspaces', () => {
  it('sends with a test key neither count nor are refused', async () => {
    const test = sender('test', { trialCreditsPending: 100 });
    expect(trials.check(test)).toBe(false);
    expect(asked).toBe(0);
  });

  it('the first purchase ends the trial, and is asked about no more', async () => {
    const live = sender('live');
    expect(await trials.isTrial(live.workspace)).toBe(true);
    purchased = 500;
    expect(await trials.isTrial(live.workspace)).toBe(false);
    expect(trials.check(live)).toBe(false);
    expect(asked).toBe(2);
  });
});
