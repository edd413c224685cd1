import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerSubmit } from '../dialects/submit-answer.js';
import type { Answer } from '../dialects/submit-answer.js';
import { isE164 } from '../handset/phone-number.js';
import { ACCEPT } from '../outcomes/outcome.js';
import type { ScenarioStore } from '../scenarios/scenario.store.js';

/**
 * A do-not-disturb registry as countries offer them over HTTP: `POST /dnd/lookup {"numbers": []}`
 * answers `{"listed": []}`. `PUT /_simulator/dnd` sets the list. Scenarios of the provider `dnd`
 * make it hang, fail, answer late or answer nonsense.
 */
const JSON_TYPE = 'application/json; charset=utf-8';
const NUMBERS_MAX = 1_000;
const LISTED_MAX = 100_000;

const numbers = (max: number) => ({
  type: 'object',
  additionalProperties: false,
  required: ['numbers'],
  properties: { numbers: { type: 'array', maxItems: max, items: { type: 'string' } } },
});

interface NumbersBody {
  numbers: string[];
}

export class DndRegistry {
  private listed = new Set<string>();

  constructor(private readonly scenarios: ScenarioStore) {}

  lookupRoutes(scope: FastifyInstance): void {
    scope.post<{ Body: NumbersBody }>(
      '/lookup',
      { schema: { body: numbers(NUMBERS_MAX) } },
      (request, reply) => this.lookUp(request.body.numbers, reply),
    );
  }

  controlRoutes(scope: FastifyInstance): void {
    scope.put<{ Body: NumbersBody }>(
      '/dnd',
      { schema: { body: numbers(LISTED_MAX) } },
      (request, reply) => {
        this.listed = new Set(request.body.numbers);
        return reply.send({ numbers: this.listed.size });
      },
    );
  }

  private lookUp(asked: readonly string[], reply: FastifyReply): void {
    const bad = asked.find((number) => !isE164(number));
    const answer: Answer =
      bad === undefined
        ? json(200, { listed: asked.filter((number) => this.listed.has(number)) })
        : json(400, { error: 'every number must be E.164' });
    answerSubmit(reply, this.scenarioFor(asked), {
      accept: () => answer,
      refuse: (code) => json(400, { error: String(code ?? 'refused') }),
      fault: (status) => json(status, { error: 'registry fault' }),
    });
  }

  /** The first number with a scenario decides. At most one scenario is used up. */
  private scenarioFor(asked: readonly string[]) {
    for (const number of asked) {
      const scenario = this.scenarios.take('dnd', number);
      if (scenario) return scenario.submit;
    }
    return ACCEPT;
  }
}

function json(status: number, body: object): Answer {
  return { status, contentType: JSON_TYPE, body: JSON.stringify(body) };
}
