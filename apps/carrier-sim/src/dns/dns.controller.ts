import type { FastifyInstance } from 'fastify';
import { type DnsRecord, RECORD_TYPES, type RecordStore, type RecordType } from './record.store.js';

const RECORDS_MAX = 10_000;
/** DKIM and DMARC records have underscores in their names. */
const NAME =
  '^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*\\.?$';

const schema = {
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['records'],
    properties: {
      records: {
        type: 'array',
        maxItems: RECORDS_MAX,
        items: {
          type: 'object',
          // A domain's records have further members: purpose, required, status.
          additionalProperties: true,
          required: ['type', 'name', 'value'],
          properties: {
            type: { enum: RECORD_TYPES },
            name: { type: 'string', pattern: NAME },
            value: { type: 'string', maxLength: 4_096 },
            priority: { type: ['integer', 'null'], minimum: 0, maximum: 65_535 },
          },
        },
      },
    },
  },
};

interface RecordsBody {
  records: { type: RecordType; name: string; value: string; priority?: number | null }[];
}

/** `PUT /_simulator/dns` replaces the records that were put; `POST` adds records that stay. */
export function dnsRoutes(scope: FastifyInstance, records: RecordStore): void {
  scope.put<{ Body: RecordsBody }>('/dns', { schema }, (request, reply) => {
    records.replace(request.body.records.map(recordOf));
    return reply.send({ records: records.size });
  });
  scope.post<{ Body: RecordsBody }>('/dns', { schema }, (request, reply) => {
    records.add(request.body.records.map(recordOf));
    return reply.code(201).send({ records: records.size });
  });
}

function recordOf({ type, name, value, priority }: RecordsBody['records'][number]): DnsRecord {
  return {
    type,
    name: name.toLowerCase().replace(/\.$/, ''),
    value,
    priority: priority ?? undefined,
  };
}
