import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

/** Runs in its own process, which it ends. */
function runThatFailsWith(error: string) {
  const program = `
    import { TopicsDisagree } from '@watchword/bus';
    import { runHost } from '@watchword/host';
    await runHost({ name: 'test', boot: async () => { throw ${error}; } });`;
  const { NODE_OPTIONS: _, ...env } = process.env;
  const args = ['--input-type=module', '--eval', program];
  const options = { cwd: import.meta.dirname, env, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, args, options);
  return { status, stderr };
}

it('shows in one line what a person can mend, and the stack of all else', () => {
  const { status, stderr } = runThatFailsWith(`new TopicsDisagree(['one has partitions 2'])`);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Kafka's topics are not as declared: one has partitions 2\. Alter .*\n$/);
  expect(runThatFailsWith(`new Error('a defect')`).stderr).toMatch(/^Error: a defect\n +at /);
});
