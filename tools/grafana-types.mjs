/**
 * `npm run test:nightly -- dashboards`: checks the chart's dashboards against Grafana's types
 * (@grafana/schema, from npm) with the compiler. A planted mistake must be found. With
 * `--skip-without-tools` it passes, and says so, where npm cannot fetch them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orSkipped } from './tool-cache.mjs';

const PACKAGE = '@grafana/schema@13.2.3';
const root = join(import.meta.dirname, '..');
const dashboards = join(root, 'helm/watchword/dashboards');
const directory = mkdtempSync(join(tmpdir(), 'watchword-dashboards-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const importing = "import type { Dashboard } from './grafana.js';\n";
const write = (name, text) => writeFileSync(join(directory, name), text);

try {
  const pack = ['pack', PACKAGE, '--silent', '--pack-destination', directory];
  const packed = orSkipped(
    PACKAGE,
    () => execFileSync('npm', pack, { encoding: 'utf8' }),
    console.log,
  );
  if (packed === undefined) process.exit(0);
  const archive = packed.trim().split('\n').at(-1);
  execFileSync('tar', ['xzf', join(directory, archive), '-C', directory]);
  const types = 'package/dist/types/raw/dashboard/x/types.gen.d.ts';
  cpSync(join(directory, types), join(directory, 'grafana.d.ts'));
  const names = readdirSync(dashboards).filter((name) => name.endsWith('.json'));
  for (const name of names) {
    const text = readFileSync(join(dashboards, name), 'utf8');
    write(name.replace(/json$/, 'ts'), `${importing}export const it: Dashboard = ${text};\n`);
  }
  const planted = ["{ schemaVersion: 'new' }", '{ schemaVersion: 41, panles: [] }'].map(
    (text, at) => `// @ts-expect-error -- planted\nexport const it${at}: Dashboard = ${text};\n`,
  );
  write('planted.ts', `${importing}${planted.join('')}`);
  const files = [...names.map((name) => name.replace(/json$/, 'ts')), 'planted.ts'];
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', types: [] };
  write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', directory], { encoding: 'utf8', stdio: 'pipe' });
  console.log(
    `${names.length} dashboards are what ${PACKAGE} says; two planted mistakes are found`,
  );
} catch (error) {
  console.error(error.stdout || error.stderr || error.message);
  process.exitCode = 1;
}
