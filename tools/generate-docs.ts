/**
 * Writes the documents that follow from the code; specs beside that code fail when they are old.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationReference, envExample } from '@watchword/config';
import {
  asyncApiDocument,
  type Audience,
  AUDIENCES,
  errorReference,
  openApiDocument,
  permissionsReference,
} from '@watchword/contracts';
import { declaredMetrics, metricsReference } from '@watchword/observability';
import { carriersReference } from './carrier-documents.ts';
import { chartKafkaUsers, chartSettings, composeWithSettings } from './deployment-settings.ts';
import { smtpAnswersReference } from './smtp-documents.ts';
import { samplesOf } from './sdks/samples.ts';

// They declare what they count when they are loaded.
const counting = ['billing', 'dispatch', 'gateway', 'host', 'webhooks'];
await Promise.all(counting.map((name) => import(`@watchword/${name}`)));

const root = dirname(import.meta.dirname);

const documents: Record<string, string> = {
  '.env.example': envExample(),
  'docker-compose.yml': composeWithSettings(readFileSync(join(root, 'docker-compose.yml'), 'utf8')),
  'helm/watchword/kafka-users.json': chartKafkaUsers(),
  'helm/watchword/settings.json': chartSettings(),
  'docs/reference/carriers.md': carriersReference(),
  'docs/reference/configuration.md': configurationReference(),
  'docs/reference/asyncapi.json': `${JSON.stringify(asyncApiDocument(), null, 2)}\n`,
  'docs/reference/errors.md': errorReference(),
  'docs/fr/errors.md': errorReference('fr'),
  'docs/reference/metrics.md': metricsReference(declaredMetrics()),
  'docs/reference/permissions.md': permissionsReference(),
  'docs/reference/smtp-answers.md': smtpAnswersReference(),
  ...Object.fromEntries(
    AUDIENCES.flatMap((audience) => [
      [fileOf(audience), openApiTextOf(audience)],
      [`apps/docs/samples/${audience}.json`, `${JSON.stringify(samplesOf(audience), null, 2)}\n`],
    ]),
  ),
};

function fileOf(audience: Audience): string {
  const name = audience === 'keys' ? 'openapi' : `openapi-${audience}`;
  return `docs/reference/${name}.json`;
}

function openApiTextOf(audience: Audience): string {
  return `${JSON.stringify(openApiDocument(audience), null, 2)}\n`;
}

for (const [name, text] of Object.entries(documents)) {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${name}`);
}
