/**
 * The durable steps on the path of a message and the crash points around them, read from the
 * sources.
 *
 * A durable step is, as far as a syntax tree shows:
 * - a `query` with a statement that writes, that calls a function which writes, or that is unknown;
 *   and a `transaction`, whose point before it is the last thing that its callback does;
 * - dispatch's `changes.apply`, for each reason to change a message;
 * - a `consumer.handle` of a handed-over message, which is stored afterwards;
 * - a `publish` to the bus, a `sendBatch` to Kafka and a `commit` of its offsets;
 * - the `submit` to a provider, the `open` and `charge` of a payment provider, the `post` to a
 *   webhook, and the gateway's calls of billing's `accept` and `acceptBatch`.
 *
 * Right before each is `crashPoint('<service>.<step>.before-<effect>')`, and right after it the
 * same with `after`; otherwise the list of exceptions names it with its reason. So a new step fails
 * the spec until it has either.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface CrashPoint {
  name: string;
  /** gateway, billing, dispatch, webhooks, or bus, relay and kafka, which each of them has. */
  service: string;
  file: string;
  line: number;
}

export interface DurableStep {
  /** Identifies exceptions: what is called with what, in which member of which file. */
  id: string;
  line: number;
}

export interface Reading {
  points: CrashPoint[];
  steps: DurableStep[];
  /** Steps without points, points without steps, names that are none. */
  problems: string[];
}

const root = join(import.meta.dirname, '../..');
const SOURCES = [
  'apps/{gateway,billing,dispatch,webhooks}/src/**/*.{ts,sql}',
  'libs/bus/src/**/*.ts',
];
const isTestOrSchema = (file: string) => /\.(spec|kit|migration|sql)\.ts$|\.sql$/.test(file);

/** Places of which no step is on the way of a message. A bounce writes suppressions. */
const OFF_THE_WAY = [
  'apps/dispatch/src/registrations/{do-not-disturb,domains,senders,templates}/**',
  'apps/dispatch/src/registrations/*.ts',
  'apps/gateway/src/accounts/**',
  'apps/gateway/src/people/**',
  'apps/webhooks/src/endpoints/**',
];

/** Reads all sources, in the order of the files. */
export function readSources(exceptions: Iterable<string>): Reading {
  const files = globSync(SOURCES, { cwd: root, exclude: OFF_THE_WAY }).toSorted();
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const writers = writingFunctions([...texts.values()]);
  const excepted = new Set(exceptions);
  const readings = [...texts]
    .filter(([file]) => !isTestOrSchema(file))
    .map(([file, text]) => readSource(file, text, { writers, excepted }));
  return together(readings, excepted);
}

function together(readings: readonly Reading[], excepted: ReadonlySet<string>): Reading {
  const points = readings.flatMap((reading) => reading.points);
  const steps = readings.flatMap((reading) => reading.steps);
  const problems = readings.flatMap((reading) => reading.problems);
  for (const [name, found] of Map.groupBy(points, (point) => point.name)) {
    if (found.length > 1) problems.push(`${name} names ${found.length} places`);
  }
  const known = new Set(steps.map(({ id }) => id));
  for (const id of excepted) if (!known.has(id)) problems.push(`an exception for nothing: ${id}`);
  return { points, steps, problems };
}

const FUNCTION = /CREATE (?:OR REPLACE )?FUNCTION ([\w.]+)\s*\(/g;
const WRITES = /\bINSERT\s+INTO\b|\bDELETE\s+FROM\b|\bUPDATE\s+\S+(\s+(AS\s+)?\w+)?\s+SET\b/i;

/** Qualified names of the SQL functions that may write. */
export function writingFunctions(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const heads = [...text.matchAll(FUNCTION)];
    return heads.flatMap((head, index) => {
      const body = text.slice(head.index, heads[index + 1]?.index);
      return /\b(STABLE|IMMUTABLE)\b/.test(body) ? [] : [head[1]!];
    });
  });
}

interface Context {
  writers: readonly string[];
  excepted: ReadonlySet<string>;
}

type Event = { at: number; member: ts.Node; line: number } & (
  { point: string; step?: undefined } | { step: string; point?: undefined }
);

const NAME = /^([a-z]+)\.[a-z-]+\.(?:before|after)-[a-z]+$/;

export function readSource(file: string, text: string, { writers, excepted }: Context): Reading {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const statements = statementsOf(source);
  const events: Event[] = [];
  const run = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const member = memberOf(node);
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const point = pointOf(node);
      const step = stepOf(node, statements, writers);
      if (step?.statement !== undefined) run.add(step.statement);
      const where = { at: node.getEnd(), member, line };
      if (point !== undefined) events.push({ ...where, point });
      else if (step?.isDurable) {
        events.push({ ...where, step: `${file} ${nameOf(member)}: ${step.called}` });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const reading: Reading = {
    points: events.flatMap(({ point, line }) =>
      point === undefined ? [] : [{ name: point, service: point.split('.')[0]!, file, line }],
    ),
    steps: events.flatMap(({ step, line }) => (step === undefined ? [] : [{ id: step, line }])),
    problems: [],
  };
  const open = events.filter(({ step }) => step === undefined || !excepted.has(step));
  for (const own of Map.groupBy(open, ({ member }) => member).values()) {
    reading.problems.push(...problemsOf(own, file));
  }
  for (const [name, written] of statements) {
    // An exported statement is found where it is run, as a query with something unknown.
    const isUnseen =
      !run.has(name) && !text.includes(`export const ${name} `) && isWriting(written, writers);
    if (isUnseen) reading.problems.push(`${file}: ${name} writes, and is run who knows where`);
  }
  return reading;
}

/**
 * Checks that each step has its point before it and the other after it, with nothing in between.
 */
function problemsOf(events: readonly Event[], file: string): string[] {
  const problems: string[] = [];
  const ordered = events.toSorted((one, other) => one.at - other.at);
  const partner = (point: string | undefined) =>
    point?.replace(/\.(before|after)-/, (_, side) => (side === 'before' ? '.after-' : '.before-'));
  ordered.forEach(({ step, point, line }, index) => {
    const [before, after] = [ordered[index - 1], ordered[index + 1]];
    if (step !== undefined) {
      const isFramed =
        before?.point?.includes('.before-') && after?.point === partner(before.point);
      if (!isFramed) problems.push(`no crash points around ${step} (line ${line})`);
      return;
    }
    const isFirst = point.includes('.before-');
    const across = isFirst ? ordered[index + 2] : ordered[index - 2];
    const between = isFirst ? after : before;
    if (!NAME.test(point)) problems.push(`${file}:${line}: no name of a crash point: ${point}`);
    else if (between?.step === undefined || across?.point !== partner(point)) {
      problems.push(`${file}:${line}: ${point} stands at no durable step`);
    }
  });
  return problems;
}

function pointOf({ expression, arguments: [name] }: ts.CallExpression): string | undefined {
  if (!ts.isIdentifier(expression) || expression.text !== 'crashPoint' || !name) return undefined;
  return ts.isStringLiteral(name) ? name.text : name.getText();
}

interface Step {
  called: string;
  isDurable: boolean;
  /** Name of the statement in the file. */
  statement?: string;
}

/** Steps by method and the last name of its receiver. */
const STEPS: readonly [method: string, receiver: RegExp][] = [
  ['transaction', /./],
  ['publish', /./],
  ['sendBatch', /./],
  ['commit', /^this$|./],
  ['apply', /^changes$/],
  ['handle', /^consumer$/],
  ['submit', /provider/i],
  ['open', /^provider$/],
  ['charge', /^provider$/],
  ['post', /^poster$/],
  ['accept', /^billing$/],
  ['acceptBatch', /^billing$/],
];

function stepOf(
  call: ts.CallExpression,
  statements: ReadonlyMap<string, string>,
  writers: readonly string[],
): Step | undefined {
  const { expression } = call;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const method = expression.name.text;
  const receiver = lastName(expression.expression);
  if (method !== 'query') {
    const isDurable = STEPS.some(([name, owner]) => name === method && owner.test(receiver));
    return isDurable ? { called: `${receiver}.${method}`, isDurable } : undefined;
  }
  const [given] = call.arguments;
  if (given === undefined) return undefined;
  const isHere = ts.isStringLiteral(given) || ts.isTemplateLiteral(given) || isStatement(given);
  const statement = isHere ? 'of its own' : lastName(given);
  const text = isHere ? given.getText() : statements.get(statement);
  const isDurable = text === undefined || isWriting(text, writers);
  return { called: `${receiver}.query, ${statement}`, isDurable, statement };
}

function isWriting(text: string, writers: readonly string[]): boolean {
  return WRITES.test(text) || writers.some((name) => text.includes(`${name}(`));
}

/** The texts of this file's statements, under the names that they have in it. */
function statementsOf(source: ts.SourceFile): Map<string, string> {
  const found = new Map<string, string>();
  const note = (name: string, value: ts.Expression | undefined) => {
    if (value && isStatement(value)) found.set(name, value.getText());
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node)) note(node.name.getText(), node.initializer);
    if (ts.isBinaryExpression(node)) note(lastName(node.left), node.right);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isStatement(node: ts.Node): boolean {
  return ts.isCallExpression(node) && lastName(node.expression) === 'statement';
}

function lastName(node: ts.Node): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isCallExpression(node)) return `${lastName(node.expression)}()`;
  return node.getText();
}

/** The method or function that everything inside belongs to, callbacks included. */
function memberOf(node: ts.Node): ts.Node {
  let member = node;
  for (let up = node.parent; !ts.isSourceFile(up); up = up.parent) {
    if (ts.isClassDeclaration(up)) return member;
    member = up;
  }
  return member;
}

function nameOf(member: ts.Node): string {
  const owner = ts.isClassDeclaration(member.parent) ? `${member.parent.name?.text ?? ''}.` : '';
  const { name } = member as { name?: ts.Node };
  if (ts.isConstructorDeclaration(member)) return `${owner}constructor`;
  return owner + (name?.getText() ?? '');
}
