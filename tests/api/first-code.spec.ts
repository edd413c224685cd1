/** The commands of "A first code in a minute" do what the page says, in both languages. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { useSystem } from '../support/suite.js';

const suite = useSystem();
const run = promisify(execFile);

describe.each(['guides', 'fr'])('docs/%s/first-code.md', (folder) => {
  it('sends a code and verifies it', async () => {
    const { testKey } = await suite.customer({ credits: 100 });
    const page = new URL(`../../docs/${folder}/first-code.md`, import.meta.url);
    const blocks = [...readFileSync(page, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)];
    // The first one takes address and key from a file of `npm start`.
    const [, ...commands] = blocks.map(([, code]) => code);
    expect(commands).toHaveLength(2);
    const env = { ...process.env, API: suite.http.baseUrl, KEY: testKey };
    const { stdout } = await run('bash', ['-ec', commands.join('\n')], { env });
    expect(stdout).toContain('"status":"pending"');
    expect(stdout).toContain('{"valid":true,"status":"verified","attempts_used":1}');
  });
});
