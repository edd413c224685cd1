/**
 * `node deploy/write-sbom.mjs <file>`: the bill of materials (CycloneDX) of the packages that are installed here.
 * The same packages give the same file: its serial number follows from them, and its time from SOURCE_DATE_EPOCH.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const [, , file] = process.argv;
if (file === undefined) throw new Error('usage: node deploy/write-sbom.mjs <file>');

const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const found = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 1 << 26 }));

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const installed = Object.entries(packages)
  .filter(([path]) => path.includes('node_modules/') && existsSync(`${path}/package.json`))
  .map(([path, { resolved, link, version }]) => {
    const name = path.split('node_modules/').at(-1);
    return `${name}@${link ? packages[resolved].version : version}`;
  });
const components = found.components
  .filter((component) => installed.includes(component['bom-ref']))
  .toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
const listed = new Set([found.metadata.component, ...components].map((one) => one['bom-ref']));
const dependencies = found.dependencies
  .filter(({ ref }) => listed.has(ref))
  .map(({ ref, dependsOn = [] }) => ({
    ref,
    dependsOn: dependsOn.filter((one) => listed.has(one)).toSorted(),
  }))
  .toSorted((a, b) => (a.ref < b.ref ? -1 : 1));

const text = JSON.stringify([components, dependencies]);
const hex = createHash('sha256').update(text).digest('hex');
const serial = [8, 4, 4, 4, 12].map((length, part, lengths) => {
  const from = lengths.slice(0, part).reduce((sum, one) => sum + one, 0);
  return hex.slice(from, from + length);
});
const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? Date.now() / 1_000);
const sbom = {
  ...found,
  serialNumber: `urn:uuid:${serial.join('-')}`,
  metadata: {
    ...found.metadata,
    timestamp: new Date(seconds * 1_000).toISOString(),
    component: { ...found.metadata.component, name: 'watchword', type: 'application' },
  },
  components,
  dependencies,
};
writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
