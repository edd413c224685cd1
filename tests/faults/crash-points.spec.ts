import { describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@watchword/config';
import { readSource, readSources, writingFunctions } from './crash-points.ts';
import { STEPS_WITHOUT_POINTS } from './steps-without-points.ts';

describe('the durable steps of the way of a message', () => {
  const { points, steps, problems } = readSources(STEPS_WITHOUT_POINTS);

  it('have a crash point before and one after each, or an exception with its reason', () => {
    expect(problems).toEqual([]);
  });

  it('are found in every service and on the bus', () => {
    const services = new Set(points.map(({ service }) => service));
    expect([...services].toSorted()).toEqual(
      [...SERVICE_NAMES, 'bus', 'kafka', 'relay'].toSorted(),
    );
    const pointed = steps.filter(({ id }) => !STEPS_WITHOUT_POINTS.includes(id));
    expect(points.length).toBe(2 * pointed.length);
  });
});

const FILE = 'apps/billing/src/gifts/gift.store.ts';

function problemsOf(text: string, ...excepted: string[]): string[] {
  const context = { writers: ['billing.give'], excepted: new Set(excepted) };
  return readSource(FILE, text, context).problems;
}

function store(...lines: string[]): string {
  return `
    const find = statement('find', 'SELECT 1 FROM gifts FOR UPDATE');
    const give = statement('give', 'SELECT FROM billing.give($1)');
    export class GiftStore {
      async give(): Promise<void> { ${lines.join('\n')} }
    }`;
}

const before = "crashPoint('billing.give.before-commit');";
const step = 'await this.database.query(give, [1]);';
const after = "crashPoint('billing.give.after-commit');";
const id = `${FILE} GiftStore.give: database.query, give`;
const unframed = `no crash points around ${id} (line 5)`;

describe('a reading of a source', () => {
  it('is content with a point on both sides', () => {
    expect(problemsOf(store(before, step, after))).toEqual([]);
    expect(problemsOf(store('await this.database.query(find);', before, step, after))).toEqual([]);
  });

  it('misses points', () => {
    expect(problemsOf(store(step))).toEqual([unframed]);
    expect(problemsOf(store(step), id)).toEqual([]);
    expect(problemsOf(store(before, step))).toContainEqual(expect.stringContaining(id));
    expect(problemsOf(store(step, after))).toContain(unframed);
    expect(problemsOf(store(before, step, step, after))).toHaveLength(4);
    const other = "crashPoint('billing.take.after-commit');";
    expect(problemsOf(store(before, step, other))).toContainEqual(expect.stringContaining(id));
  });

  it.each([
    ['a statement with its text', "this.database.query('UPDATE gifts AS g SET taken = true')"],
    ['a statement of unknown text', 'this.database.query(givenElsewhere)'],
    ['a transaction', 'this.pool.transaction(async () => undefined)'],
    ['a publication', 'this.bus.publish(topic, [])'],
    ['a submit', 'provider.submit({})'],
    ['a webhook', 'this.poster.post(url, [], body)'],
    ['an offset', 'this.commit([])'],
    ['a change of a message', 'this.changes.apply([])'],
  ])('knows %s as a durable step', (_, call) => {
    const [problem] = problemsOf(store(`await ${call};`)).filter((one) => !one.includes(' run '));
    expect(problem).toContain('no crash points around');
  });

  it('counts the point at the end of a transaction as before its commit', () => {
    const work = `await this.pool.transaction(async (transaction) => {
      await transaction.query(find);
      ${before}
    });`;
    const found = problemsOf(store(work, after)).filter((one) => !one.includes(' run '));
    expect(found).toEqual([]);
  });

  it('finds points that stand at nothing, and names of no form', () => {
    expect(problemsOf(store(before, 'await this.database.query(find);', after))).toHaveLength(3);
    expect(problemsOf(store("crashPoint('give');", step, after))).toContainEqual(
      expect.stringContaining('no name of a crash point: give'),
    );
  });

  it('finds a statement that is run where it does not look', () => {
    expect(problemsOf(store('await this.run(give);'))).toEqual([
      `${FILE}: give writes, and is run who knows where`,
    ]);
  });

  it('takes functions of the database for writing unless they say otherwise', () => {
    const texts = [
      'CREATE FUNCTION a.find() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 1 $$;',
      'CREATE OR REPLACE FUNCTION a.give(id uuid) RETURNS void AS $$ ${give} $$;',
    ];
    expect(writingFunctions(texts)).toEqual(['a.give']);
    expect(writingFunctions([texts.join('\n')])).toEqual(['a.give']);
  });
});
