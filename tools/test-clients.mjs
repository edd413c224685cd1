/**
 * `npm run test:clients`: generates clients from the document of the routes for API keys, compiles them, and lets
 * them (`tests/clients`) send, verify, list with a cursor, read an event and meet a 409 and a 429 at a running
 * `npm start`. What a machine lacks (Python, Go, Java with Maven, Ruby with typhoeus, Rust) is skipped with a sentence.
 */
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cache, once } from './tool-cache.mjs';

const PYTHON = 'openapi-python-client==0.29.1';
const GO = [
  'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
  'github.com/ogen-go/ogen/cmd/ogen@v1.24.0',
];
const NPM = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'typescript@5.9.3',
  '@types/node@24.10.1',
];
const JAR =
  'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/7.25.0/openapi-generator-cli-7.25.0.jar';
/** ogen does not make the union of bodies to quote, two of which have the same `kind`. */
const OGEN_LACKS = ['type-based discrimination with same jxType'];
/** A client for Java refuses members and words that it does not know. */
const JAVA_TAKES_NEWER_ANSWERS =
  'disallowAdditionalPropertiesIfNotPresent=false,enumUnknownDefaultCase=true';
/** Generators warn at length. */
const OUTPUT_BYTES_MAX = 64 << 20;
/** Calls of a client before its 429. */
const CALLS_PER_MINUTE = 40;

const clients = join(dirname(import.meta.dirname), 'tests/clients');
const file = `${process.env.DATA_DIR ?? '.data'}/dev-credentials.json`;
const { base_url: base, operator_token: operator } = JSON.parse(readFileSync(file, 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'watchword-clients-'));
const run = promisify(execFile);
const at = (...path) => join(work, ...path);
const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };

/** Each has the commands that it runs, and says what it saw. */
const PARTS = {
  typescript: [['npm --version'], typescript],
  python: [['python3 --version'], python],
  go: [['go version'], go],
  java: [['java -version', 'mvn --version'], java],
  ruby: [['java -version', 'ruby -rtyphoeus -e 1'], ruby],
  rust: [['java -version', 'cargo --version'], rust],
};
let failed = 0;
try {
  for (const version of ['3.1', '3.0']) {
    const document = await fetch(`${base}/openapi.json?version=${version}`);
    writeFileSync(at(`openapi-${version}.json`), await document.text());
  }
  for (const [name, [tools, tryOut]] of Object.entries(PARTS)) await part(name, tools, tryOut);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

async function part(name, tools, tryOut) {
  const missing = await firstFailing(tools);
  if (missing !== undefined) {
    console.log(`${name}: skipped, because \`${missing}\` fails on this machine`);
    return;
  }
  try {
    console.log(`${name}: ${await tryOut()}`);
  } catch (error) {
    failed += 1;
    console.error(`${name}: failed\n${error.stderr || error.stdout || error.stack}`);
  }
}

/** Returns the first that fails. */
async function firstFailing(commands) {
  for (const command of commands) {
    const isThere = await run('sh', ['-c', command]).then(
      () => true,
      () => false,
    );
    if (!isThere) return command;
  }
  return undefined;
}

async function typescript() {
  const folder = once(join(cache, 'clients-typescript'), (into) => {
    const flags = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix'];
    execFileSync('npm', ['install', ...NPM, ...flags, into], quiet);
  });
  const binary = (name) => join(folder, 'node_modules/.bin', name);
  const document = at('openapi-3.1.json');
  const into = join(folder, 'client');
  mkdirSync(into, { recursive: true });
  copyFileSync(join(clients, 'client.ts'), join(into, 'client.ts'));
  await run(binary('openapi-typescript'), [document, '-o', join(into, 'watchword.d.ts')]);
  const hey = ['-i', document, '-o', join(into, 'hey-api'), '-c', '@hey-api/client-fetch'];
  await run(binary('openapi-ts'), hey, { cwd: folder });
  const orval = ['--input', document, '--output', join(into, 'orval/client.ts')];
  await run(binary('orval'), [...orval, '--client', 'fetch'], { cwd: folder });
  const options = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
    ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
  };
  writeFileSync(join(into, 'package.json'), '{"type":"module"}');
  writeFileSync(join(into, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  await run(binary('tsc'), ['-p', into]);
  await run(process.execPath, [join(into, 'client.ts'), base, await newKey()]);
  return 'openapi-typescript with openapi-fetch ran; hey-api and orval were type-checked';
}

async function python() {
  const folder = once(join(cache, 'clients-python'), (into) => {
    execFileSync('python3', ['-m', 'venv', into], quiet);
    execFileSync(join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', PYTHON], quiet);
  });
  const python = join(folder, 'bin/python');
  for (const version of ['3.0', '3.1']) {
    const given = ['--path', at(`openapi-${version}.json`), '--meta', 'none', '--overwrite'];
    const into = ['--output-path', at('python/watchword_client')];
    await run(python, ['-m', 'openapi_python_client', 'generate', ...given, ...into]);
    const env = { ...process.env, PYTHONPATH: at('python') };
    await run(python, [join(clients, 'client.py'), base, await newKey()], { env });
  }
  return `${PYTHON} ran, from 3.0.3 and from 3.1`;
}

async function go() {
  const folder = once(join(cache, 'clients-go-2'), (into) => {
    const options = { ...quiet, env: { ...process.env, GOBIN: into } };
    for (const one of GO) execFileSync('go', ['install', one], options);
  });
  const document = at('openapi-3.1.json');
  const oapi = ['-generate', 'types,client', '-package', 'watchword', '-o', 'watchword/client.go'];
  await goProgram('client.go', [join(folder, 'oapi-codegen'), ...oapi, document]);
  writeFileSync(
    at('ogen.yml'),
    JSON.stringify({ generator: { ignore_not_implemented: OGEN_LACKS } }),
  );
  const ogen = ['--config', at('ogen.yml'), '--package', 'watchword', '--target', 'watchword'];
  await goProgram('client-ogen.go', [join(folder, 'ogen'), ...ogen, document]);
  return 'oapi-codegen 2.8.2 and ogen 1.24.0 ran';
}

async function goProgram(name, [generator, ...args]) {
  const cwd = at(name);
  mkdirSync(join(cwd, 'watchword'), { recursive: true });
  copyFileSync(join(clients, name), join(cwd, 'main.go'));
  writeFileSync(join(cwd, 'go.mod'), 'module example.com/clients\n\ngo 1.24\n');
  await run(generator, args, { cwd, maxBuffer: OUTPUT_BYTES_MAX });
  await run('go', ['mod', 'tidy'], { cwd });
  await run('go', ['build', '-o', 'client', '.'], { cwd });
  await run(join(cwd, 'client'), [base, await newKey()]);
}

/** Writes a client by OpenAPI Generator. */
async function generate(language, into, properties = 'hideGenerationTimestamp=true') {
  const folder = once(join(cache, 'clients-java'), (folder) => {
    execFileSync('curl', ['-sSfLo', join(folder, 'generator.jar'), JAR], quiet);
  });
  const given = ['-jar', join(folder, 'generator.jar'), 'generate', '-g', language];
  const options = { maxBuffer: OUTPUT_BYTES_MAX };
  const document = ['-i', at('openapi-3.1.json'), `--additional-properties=${properties}`];
  await run('java', [...given, ...document, '-o', into], options);
}

async function java() {
  const cwd = at('java');
  await generate('java', cwd, JAVA_TAKES_NEWER_ANSWERS);
  copyFileSync(join(clients, 'Client.java'), join(cwd, 'src/main/java/Client.java'));
  const paths = ['dependency:build-classpath', '-Dmdep.outputFile=classpath'];
  await run('mvn', ['-q', '-DskipTests', 'compile', ...paths], { cwd });
  const classpath = `target/classes:${readFileSync(join(cwd, 'classpath'), 'utf8')}`;
  await run('java', ['-cp', classpath, 'Client', base, await newKey()], { cwd });
  return 'OpenAPI Generator 7.25.0: the client for Java ran';
}

async function ruby() {
  await generate('ruby', at('ruby'));
  await run('ruby', ['-I', at('ruby/lib'), join(clients, 'client.rb'), base, await newKey()]);
  return 'OpenAPI Generator 7.25.0: the client for Ruby ran';
}

async function rust() {
  const cwd = at('rust');
  await generate('rust', join(cwd, 'openapi'));
  copyFileSync(join(clients, 'client.rs'), join(cwd, 'client.rs'));
  copyFileSync(join(clients, 'client.toml'), join(cwd, 'Cargo.toml'));
  const target = join(cache, 'clients-rust');
  await run('cargo', ['build', '--quiet', '--target-dir', target], { cwd });
  await run(join(target, 'debug/client'), [base, await newKey()]);
  return 'OpenAPI Generator 7.25.0: the client for Rust ran';
}

/** A test key of a workspace of its own, which is soon refused as too frequent. */
async function newKey() {
  const response = await fetch(`${base}/operator/v1/workspaces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Generated clients',
      billing_country: 'NG',
      settings: { limits: { key_per_minute: CALLS_PER_MINUTE } },
    }),
  });
  return (await response.json()).test_key;
}
