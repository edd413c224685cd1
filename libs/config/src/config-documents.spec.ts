import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { configurationReference, envExample } from './config-documents.js';
import { settings } from './config.js';
import { loadConfig } from './load-config.js';

const root = join(import.meta.dirname, '../../..');

/** When these fail, run `npm run docs`. */
describe('the generated documents', () => {
  it('.env.example is in step with the schema', () => {
    expect(readFileSync(join(root, '.env.example'), 'utf8')).toBe(envExample());
  });

  it('docs/reference/configuration.md is in step with the schema', () => {
    const page = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8');
    expect(page).toBe(configurationReference());
  });

  it('.env.example holds values that the program accepts', () => {
    const lines = envExample().split('\n');
    const assignments = lines.filter((line) => /^#[A-Z_]+=/.test(line));
    expect(assignments).toHaveLength(settings.length);
    const environment = Object.fromEntries(
      assignments.map((line) => line.slice(1).split('=', 2) as [string, string]),
    );
    expect(loadConfig(environment)).toEqual(loadConfig({}));
  });
});

describe('the schema', () => {
  it('names every variable once and describes it with a sentence', () => {
    expect(new Set(settings.map(({ variable }) => variable)).size).toBe(settings.length);
    for (const { sentence } of settings) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});
