import { PROVIDERS, RECEIPT_OUTCOMES, SUBMIT_KINDS } from '../outcomes/outcome.js';
import type { Code, Provider, Receipt, Submit } from '../outcomes/outcome.js';

const CODE = { type: ['string', 'integer'], minLength: 1, maxLength: 100 };

/**
 * Schema of a scenario. Every value is bounded, so a typing error cannot block a test without end.
 */
export const SCENARIO_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    provider: { enum: [...PROVIDERS] },
    to: { type: 'string', pattern: '^([+\\s]?[1-9]\\d{6,14}|[^\\s@<>]{1,64}@[^\\s@<>]{1,255})$' },
    submit: {
      type: 'object',
      additionalProperties: false,
      required: ['kind'],
      properties: {
        kind: { enum: [...SUBMIT_KINDS] },
        code: CODE,
        part: { type: 'integer', minimum: 1, maximum: 255 },
        status: { type: 'integer', minimum: 200, maximum: 599 },
        delay_ms: { type: 'integer', minimum: 0, maximum: 600_000 },
        retry_after_s: { type: 'integer', minimum: 0, maximum: 86_400 },
      },
    },
    receipts: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['after_ms', 'outcome'],
        properties: {
          after_ms: { type: 'integer', minimum: 0, maximum: 86_400_000 },
          outcome: { enum: [...RECEIPT_OUTCOMES] },
          code: CODE,
          forged: { type: 'boolean' },
          network: { type: 'string', pattern: '^\\d{5,6}$' },
        },
      },
    },
    times: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
  },
};

export interface ScenarioBody {
  provider?: Provider;
  to?: string;
  submit?: {
    kind: Submit['kind'];
    code?: Code;
    part?: number;
    status?: number;
    delay_ms?: number;
    retry_after_s?: number;
  };
  receipts?: (Omit<Receipt, 'afterMs'> & { after_ms: number })[];
  times?: number;
}
