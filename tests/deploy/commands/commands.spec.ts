/**
 * Commands in the operator's pages name existing services, settings, routes, metrics, topics and
 * files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import '@watchword/host';
import { SERVICE_NAMES, settings } from '@watchword/config';
import { ALL_TOPICS } from '@watchword/contracts';
import { declaredMetrics } from '@watchword/observability';
import { commands } from '../../../apps/all-in-one/src/operator/commands.js';
import { installation } from '../../../apps/all-in-one/src/services.js';
import { composeFile, variablesOf } from '../compose-file.js';
import { code, complaints, countOf, pages, root } from './shown.js';
import { isRoute } from './shown-routes.js';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = execFileSync('git', ['ls-files', 'apps/*.ts', 'libs/*.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (name) => name.includes('/src/') && !name.includes('.spec.') && existsSync(join(root, name)),
  )
  .map(read)
  .join('\n');

/** Fails with what is wrong, and where the pattern finds less than it found when this was written. */
function expectEach(
  pattern: RegExp,
  least: number,
  complain: (match: RegExpMatchArray) => string | undefined,
): void {
  expect(complaints(pattern, complain)).toEqual([]);
  expect(countOf(pattern)).toBeGreaterThanOrEqual(least);
}

const among = (known: Iterable<string>, what: string) => {
  const set = new Set(known);
  return ([, name = '']: RegExpMatchArray) => (set.has(name) ? undefined : `no ${what} ${name}`);
};

describe('docker compose', () => {
  const services = Object.keys(composeFile().services);
  /** Arguments of `docker compose` and of the runbooks' function. */
  const call = /(?<!\w)(?:docker compose|compose) (?=-|exec|run|logs|ps|up)([^|>&`]+)/g;

  it('is given the settings, without which it reads no file of ours', () => {
    const missing = ([, args = '']: RegExpMatchArray) =>
      args.includes('--env-file deploy/settings.env ') ? undefined : `docker compose ${args}`;
    expectEach(/docker compose ([^…`|>&]+)/g, 5, missing);
  });

  it('is asked for services that there are', () => {
    expectEach(call, 6, ([, args = '']) => {
      const words = args.trim().split(/\s+/);
      const at = words.findIndex((word) => /^(exec|run|logs|ps|up)$/.test(word));
      const [name] = at < 0 ? [] : words.slice(at + 1).filter((word) => !/^(-|\d+$)/.test(word));
      const isKnown = name === undefined || name.startsWith('$') || services.includes(name);
      return isKnown ? undefined : `no service ${name} in: ${args}`;
    });
  });
});

describe('kubectl', () => {
  const parts = [...SERVICE_NAMES, 'carrier-sim', 'migrate', 'operator', 'inbound-mail'];

  it('names what the chart makes', () => {
    expectEach(
      /(?:deployment|service|cronjob)\/watchword-(\w[\w-]*)/g,
      1,
      among(parts, 'part of the chart'),
    );
    expectEach(
      /app\.kubernetes\.io\/component=(\w[\w-]*)/g,
      3,
      among(parts, 'component of the chart'),
    );
    expectEach(/app\.kubernetes\.io\/name=(\w+)/g, 2, among(['watchword'], 'chart'));
  });
});

describe('helm', () => {
  const schema = JSON.parse(read('helm/watchword/values.schema.json')) as Schema;
  interface Schema {
    properties?: Record<string, Schema>;
  }

  it('is given files that there are', () => {
    expectEach(/--values (\S+)/g, 2, ([, file = '']) =>
      existsSync(join(root, file)) ? undefined : `no file ${file}`,
    );
  });

  it('upgrades with the defaults of the new chart', () => {
    expectEach(/helm upgrade ([^|]+)/g, 1, ([, args = '']) =>
      args.includes('--reset-then-reuse-values') ? undefined : `helm upgrade ${args}`,
    );
  });

  it('sets values that the chart has', () => {
    const roots = Object.keys(schema.properties ?? {}).join('|');
    expectEach(
      new RegExp(`(?<![\\w./-])((?:${roots})(?:\\.(?!json)\\w+)+)`, 'g'),
      15,
      ([, path = '']) => {
        let at: Schema | undefined = schema;
        for (const name of path.split('.')) {
          // An object without properties takes any: `settings.TWILIO_ACCOUNT_SID`.
          if (at !== undefined && at !== schema && !at.properties) return undefined;
          at = at?.properties?.[name];
        }
        return at === undefined ? `no value ${path}` : undefined;
      },
    );
  });
});

describe('npm and node', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

  it('run scripts that there are', () => {
    expectEach(/npm run ([\w:-]+)/g, 10, among(Object.keys(scripts), 'script'));
    expectEach(/(?<!\w)node ((?:tools|deploy|tests)\/\S+\.m?[jt]s)/g, 2, ([, file = '']) =>
      existsSync(join(root, file)) ? undefined : `no file ${file}`,
    );
    expectEach(/node apps\/([\w-]+)\/dist\/\S*main\.js/g, 1, ([, app = '']) =>
      existsSync(join(root, 'apps', app, 'src/main.ts')) || app === '<service>'
        ? undefined
        : `no program ${app}`,
    );
  });

  it("give the operator's program commands that it has", () => {
    const names = commands.map(({ name }) => name);
    expectEach(
      /(?:npm run operator --|operator\/main\.js|run --rm operator|(?<=^|\s)operator) ([a-z]+-?[a-z]+)/g,
      10,
      among(names, 'command'),
    );
  });
});

describe('what is asked of the running system', () => {
  it('are routes of the operator API', () => {
    expectEach(/\bop (GET|POST|PUT|PATCH|DELETE) +'?(\S+)/g, 50, ([, method = '', path = '']) =>
      isRoute(method, path) ? undefined : `no route ${method} ${path}`,
    );
  });

  it('are metrics of the services', () => {
    expect(installation.definitions).toHaveLength(4);
    const users = [...SERVICE_NAMES, 'admin'].map((name) => `watchword_${name}`);
    const known = [...declaredMetrics().map(({ name }) => name), ...users];
    expectEach(/\b(watchword_\w+?)(?:_count|_bucket|_sum)?(?![\w:])/g, 60, ([, name = '']) =>
      known.includes(name) || name.endsWith('_') ? undefined : `no metric ${name}`,
    );
  });

  it('are topics, and groups that consume them', () => {
    const topics = ALL_TOPICS.map(({ name }) => name);
    expectEach(/\b(svc\.[a-z-]+\.v\d+)\b/g, 10, among(topics, 'topic'));
    const groups = [...sources.matchAll(/group: '([a-z]+\.[a-z-]+)'/g)].map(
      ([, name = '']) => name,
    );
    // After FROM it is a table.
    expectEach(
      /(?<!\.|FROM )\b((?:billing|dispatch|webhooks)\.[a-z]+(?:-[a-z]+)*)\b/g,
      8,
      ([, name = '']) => (groups.includes(name) ? undefined : `no group ${name}`),
    );
  });

  it('are lines that a program logs', () => {
    expectEach(/grep '"([^"']+)"'/g, 2, ([, line = '']) =>
      sources.includes(`'${line}'`) ? undefined : `no log line "${line}"`,
    );
  });
});

describe('settings', () => {
  /** Names of other tools, of the shell and of SQL, and partial names in pages. */
  const OTHERS =
    /^(BASE_URL|STATUS_URL|DATA|SERVICE|KEY_ID|TEST_KEY|NODE_EXTRA_CA_CERTS|ADMIN_KAFKA_PASSWORD|OTEL_TRACES_SAMPLER(_ARG)?)$/;

  it('are those that a process or Compose reads', () => {
    const ofProcesses = settings.map(({ variable }) => variable);
    const known = new Set([...ofProcesses, ...variablesOf(composeFile()).wanted]);
    const own = pages.filter(({ page }) => /operate|runbooks|helm/.test(page));
    const named = own.flatMap(({ page, text }) =>
      [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => ({
        page,
        name,
      })),
    );
    expect(named.length).toBeGreaterThan(50);
    const unknown = named.filter(({ name }) => !known.has(name) && !OTHERS.test(name));
    expect(unknown).toEqual([]);
  });
});

it('the checks see mistakes', () => {
  const planted = [{ page: 'p', text: 'op GET /nothing' }];
  const complain = ([, method = '', path = '']: RegExpMatchArray) =>
    isRoute(method, path) ? undefined : `no route ${method} ${path}`;
  expect(complaints(/\bop (GET) (\S+)/g, complain, planted)).toEqual(['p: no route GET /nothing']);
  expect(code.length).toBeGreaterThan(500);
});
