/** `npm run build:sdk`: the npm package of the TypeScript SDK, with the command line as one file. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const EXECUTABLE = 0o755;
const root = dirname(import.meta.dirname);
const folder = join(root, 'sdks/typescript');
const output = join(folder, 'dist/watchword.mjs');
const program = (name) => join(root, 'node_modules/.bin', name);

rmSync(join(folder, 'dist'), { recursive: true, force: true });
execFileSync(...typeScript(), { stdio: 'inherit' });
const options = [
  '--bundle',
  '--platform=node',
  '--target=node20',
  '--format=esm',
  '--log-level=warning',
];
execFileSync(
  program('esbuild'),
  [join(root, 'cli/src/main.ts'), ...options, `--outfile=${output}`],
  {
    stdio: 'inherit',
  },
);
chmodSync(output, EXECUTABLE);
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
console.log(`wrote ${output}`);

/** After `npm start` alone the compiler is not installed. npm runs this one package without a new install of a thousand. */
function typeScript() {
  const compile = ['-p', folder];
  if (existsSync(program('tsc'))) return [program('tsc'), compile];
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanted = `--package=typescript@${devDependencies.typescript}`;
  return ['npm', ['exec', '--yes', wanted, '--', 'tsc', ...compile]];
}
