/**
 * Tools and schemas of `npm run test:helm`, at pinned versions, in a cache outside the repository
 * (WATCHWORD_HELM_CACHE, else ~/.cache/watchword-helm).
 *
 * All tools are built by one call from the module in tools/helm-tools, so what they share is compiled once.
 * Schemas of Kubernetes come from PyPI, those of operators from the Go modules of these operators.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const sources = join(import.meta.dirname, 'helm-tools');
const cache = process.env['WATCHWORD_HELM_CACHE'] ?? join(homedir(), '.cache/watchword-helm');

export const KUBERNETES = '1.37.0';
const SCHEMAS = `kubernetes-validate==${KUBERNETES}`;
const PACKAGES = [
  './policies',
  'helm.sh/helm/v3/cmd/helm',
  'github.com/yannh/kubeconform/cmd/kubeconform',
  'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
  'github.com/prometheus/prometheus/cmd/promtool',
];
/** CloudNativePG is in no registry that we use, and Strimzi is no Go module. */
const CRD_FILES = {
  'sigs.k8s.io/gateway-api@v1.6.0': [
    'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml',
  ],
  'github.com/kedacore/keda/v2@v2.21.0': ['config/crd/bases/keda.sh_scaledobjects.yaml'],
  'github.com/external-secrets/external-secrets@v1.3.2': [
    'config/crds/bases/external-secrets.io_externalsecrets.yaml',
  ],
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
};

/** A cold build takes about six minutes on two processors. */
const BUILD_MS_MAX = 10 * 60_000;

const hashOf = (...texts) =>
  createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12);

function toolsFolder() {
  const files = ['go.mod', 'go.sum', 'policies/main.go'];
  const texts = files.map((file) => readFileSync(join(sources, file), 'utf8'));
  return join(cache, `tools-${hashOf(...texts, ...PACKAGES)}`);
}

/** The path of a tool that is built already; undefined while it is not. */
export function builtTool(name) {
  const file = join(toolsFolder(), name);
  return existsSync(file) ? file : undefined;
}

function goPath() {
  const usual = '/usr/local/go/bin/go';
  const found = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'go'));
  const go = [...found, usual].find((file) => existsSync(file));
  if (!go) throw new Error('Go 1.26 or newer builds the tools of this check: https://go.dev/dl');
  return go;
}

/** Made under another name, so that one that breaks off leaves nothing behind. */
function once(folder, make) {
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const into = mkdtempSync(join(cache, 'making-'));
  try {
    make(into);
    renameSync(into, folder);
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
  return folder;
}

/** The folder of all tools, built unless they are there. */
export function tools(say) {
  return once(toolsFolder(), (into) => {
    say(`building ${PACKAGES.length} tools with Go`);
    const usual = ['-trimpath', '-ldflags=-s -w', '-tags', 'remove_all_sd'];
    const processors = String(Math.min(availableParallelism(), 4));
    const args = ['build', '-p', processors, ...usual, '-o', `${into}/`, ...PACKAGES];
    const stdio = ['ignore', 'ignore', 'inherit'];
    execFileSync(goPath(), args, { cwd: sources, stdio, timeout: BUILD_MS_MAX });
  });
}

/** Schemas of Kubernetes, whose references lead to a file beside them. */
export function kubernetesSchemas(say) {
  return once(join(cache, `schemas-${KUBERNETES}`), (into) => {
    say(`installing ${SCHEMAS}`);
    const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--root-user-action=ignore'];
    execFileSync('python3', [...args, '--target', into, SCHEMAS], { stdio: 'inherit' });
    const installed = join(into, 'kubernetes_validate');
    const strict = join(installed, `kubernetes-json-schema/v${KUBERNETES}-local-strict`);
    for (const name of readdirSync(strict)) {
      const { $id: _id, ...schema } = JSON.parse(readFileSync(join(strict, name), 'utf8'));
      const text = JSON.stringify(schema);
      writeFileSync(join(into, name), text.replaceAll('"/api/_definitions', '"_definitions'));
    }
    rmSync(installed, { recursive: true });
  });
}

/** Schemas of operators' resources, as `<group>_<kind>_<version>.json`. */
export function operatorSchemas(say) {
  return once(join(cache, `crds-${hashOf(JSON.stringify(CRD_FILES))}`), (into) => {
    for (const [module, files] of Object.entries(CRD_FILES)) {
      say(`reading schemas of ${module}`);
      const args = ['mod', 'download', '-json', module];
      const { Dir } = JSON.parse(execFileSync(goPath(), args, { encoding: 'utf8', cwd: into }));
      for (const file of files) writeSchemas(readFileSync(join(Dir, file), 'utf8'), into);
    }
  });
}

function writeSchemas(text, into) {
  for (const document of parseAllDocuments(text)) {
    const { kind, spec } = document.toJS() ?? {};
    if (kind !== 'CustomResourceDefinition') continue;
    for (const { name, schema } of spec.versions) {
      const file = `${spec.group}_${spec.names.kind.toLowerCase()}_${name}.json`;
      writeFileSync(join(into, file), JSON.stringify(strictly(schema.openAPIV3Schema)));
    }
  }
}

/** As the API server takes it: no members that the schema does not name, unless it keeps them. */
function strictly(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(strictly);
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'properties'
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strictly(one)]))
        : name === 'default' || name === 'enum'
          ? value
          : strictly(value),
    ]),
  );
  if (schema['x-kubernetes-int-or-string'])
    return { anyOf: [{ type: 'integer' }, { type: 'string' }] };
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] || schema.additionalProperties;
  if (schema.properties && !isOpen) inner.additionalProperties = false;
  return inner;
}
