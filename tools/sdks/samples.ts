/** Samples of every operation in curl and with the SDKs, made from the examples of the OpenAPI documents. */
import { type Audience, openApiDocument } from '@watchword/contracts';
import { goName, goTypeOf } from './go.ts';
import { type Field, type Model, type Operation, readSdkModel, type Type } from './model.ts';
import { argument, snake } from './python.ts';

export interface Sample {
  lang: string;
  label: string;
  source: string;
}

interface Described {
  operationId: string;
  parameters?: { name?: string; in?: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  security: Record<string, unknown>[];
}

interface Call {
  method: string;
  path: string;
  type: string | undefined;
  example: unknown;
  security: string | undefined;
}

/** What `npm start` prints; the pages replace it by the reader's own. */
const BASE_URL = 'http://127.0.0.1:3000';
const EXAMPLE_ID = '01a1fb6f-2804-71d7-b8cd-d504c01656ae';

/** Returns samples by the operation's id. */
export function samplesOf(audience: Audience): Record<string, Sample[]> {
  const { paths } = openApiDocument(audience) as {
    paths: Record<string, Record<string, Described>>;
  };
  const sdk = audience === 'keys' ? readSdkModel() : undefined;
  const samples: Record<string, Sample[]> = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const call = callOf(path, method, described);
      const operation = sdk?.operations.find(
        (one) => one.path === path && one.method === call.method,
      );
      samples[described.operationId] = [
        { lang: 'Shell', label: 'curl', source: curl(call) },
        ...(sdk && operation ? inLanguages(operation, call.example, sdk.models) : []),
      ];
    }
  }
  return samples;
}

function callOf(path: string, method: string, described: Described): Call {
  const [type, content] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
  const security = described.security.flatMap((scheme) => Object.keys(scheme))[0];
  return { method: method.toUpperCase(), path, type, example: content?.example, security };
}

const AUTHENTICATION: Record<string, string> = {
  bearerApiKey: `-H "Authorization: Bearer $WATCHWORD_KEY"`,
  bearerOperatorToken: `-H "Authorization: Bearer $OPERATOR_TOKEN"`,
};

function curl({ method, path, type, example, security }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
  const body = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${BASE_URL}${filled}'`,
    ...(security === undefined ? [] : authentication(security, method)),
    ...(type === undefined || example === undefined ? [] : [`-H 'Content-Type: ${type}'`]),
    ...(example === undefined ? [] : [`-d '${body.replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

/** Sessions have a cookie, and a header with each call that changes something. */
function authentication(security: string, method: string): string[] {
  const own = AUTHENTICATION[security];
  if (own !== undefined) return [own];
  return ['-b cookies.txt', ...(method === 'GET' ? [] : ['-H "X-CSRF-Token: $CSRF_TOKEN"'])];
}

/** Of a parameter of the path. */
function valueOf(name: string): string {
  if (name === 'country') return 'NG';
  return name === 'number' ? '+2348031234567' : EXAMPLE_ID;
}

function inLanguages(operation: Operation, example: unknown, models: Model[]): Sample[] {
  return [
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(operation, example) },
    { lang: 'Python', label: 'Python', source: python(operation, example, models) },
    { lang: 'Go', label: 'Go', source: go(operation, example, models) },
  ];
}

const pathValues = ({ pathFields }: Operation, quote: string) =>
  pathFields.map(({ name }) => `${quote}${valueOf(name)}${quote}`);

function typescript(operation: Operation, example: unknown): string {
  const { resource, name, body, page, result } = operation;
  const given = [
    ...pathValues(operation, "'"),
    ...(body && example !== undefined ? [literal(example, 0)] : []),
  ];
  const call = `client.${resource}.${name}(${given.join(', ')})`;
  const use = page
    ? `for await (const one of ${call}) {\n  console.log(one);\n}`
    : result
      ? `const answer = await ${call};\nconsole.log(answer);`
      : `await ${call};`;
  return `import { Watchword } from 'watchword';\n\nconst client = new Watchword({ baseUrl: '${BASE_URL}' });\n${use}\n`;
}

/** A literal of JavaScript; names of members need no quotes where they are words. */
function literal(value: unknown, depth: number): string {
  if (typeof value === 'string') return `'${escaped(value, "'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([name, member]) => {
    const text = literal(member, depth + 1);
    if (isList) return text;
    return `${/^\w+$/.test(name) ? name : `'${name}'`}: ${text}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  return block(open!, members, close!, depth, '  ');
}

function block(open: string, members: string[], close: string, depth: number, step: string) {
  if (members.length === 0) return open + close;
  const lines = members.map((member) => `${step.repeat(depth + 1)}${member},`);
  return [open, ...lines, step.repeat(depth) + close].join('\n');
}

const escaped = (text: string, quote: string) =>
  text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n');

/** Finds the model of an object, in a union by the member that tells. */
function modelOf(type: Type, value: object, models: Model[]): Model | undefined {
  if (type.kind === 'union') {
    const found = type.variants.map((variant) => modelOf(variant, value, models));
    return found.find((model) => model && fits(model, value as Record<string, unknown>));
  }
  if (type.kind !== 'ref') return undefined;
  const model = models.find(({ name }) => name === type.name);
  return model?.alias ? modelOf(model.alias, value, models) : model;
}

function fits({ fields = [] }: Model, value: Record<string, unknown>): boolean {
  const isKnown = Object.keys(value).every((name) => fields.some((field) => field.name === name));
  return isKnown && fields.every((field) => !isConstant(field) || hasConstant(field, value));
}

const isConstant = ({ type }: Field) => type.kind === 'string' && type.isConstant === true;

function hasConstant({ name, type }: Field, value: Record<string, unknown>): boolean {
  return type.kind === 'string' && type.values?.[0] === value[name];
}

type Member = readonly [field: Field, value: unknown];

/** Members of a value that its model has, without those of one value, which the SDKs add. */
function membersOf({ fields = [] }: Model, value: object): Member[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const field = fields.find((one) => one.name === name);
    return field && !isConstant(field) ? [[field, member] as const] : [];
  });
}

function python(operation: Operation, example: unknown, models: Model[]): string {
  const { resource, name, body, page, result } = operation;
  const given = pathValues(operation, '"');
  if (body && example !== undefined) given.push(...pythonBody(body, example as object, models));
  const call = `client.${snake(resource)}.${snake(name)}${block('(', given, ')', 0, '    ')}`;
  const use = page ? `for one in ${call}:\n    print(one)` : result ? `print(${call})` : call;
  const imported = given.join('').includes('models.') ? 'Watchword, models' : 'Watchword';
  return `from watchword import ${imported}\n\nclient = Watchword(base_url="${BASE_URL}")\n${use}\n`;
}

function pythonBody(body: Model, example: object, models: Model[]): string[] {
  if (body.alias) return [pythonValue(body.alias, example, models, 1)];
  return membersOf(body, example).map(
    ([field, value]) => `${argument(field.name)}=${pythonValue(field.type, value, models, 1)}`,
  );
}

function pythonValue(type: Type, value: unknown, models: Model[], depth: number): string {
  if (typeof value === 'string') return `"${escaped(value, '"')}"`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    const list = resolved(type, models);
    const items = value.map((item) => pythonValue(itemOf(list), item, models, depth + 1));
    return block('[', items, ']', depth, '    ');
  }
  const model = modelOf(type, value, models);
  if (model) {
    const members = membersOf(model, value).map(
      ([field, member]) =>
        `${argument(field.name)}=${pythonValue(field.type, member, models, depth + 1)}`,
    );
    return block(`models.${model.name}(`, members, ')', depth, '    ');
  }
  const members = Object.entries(value).map(
    ([name, member]) => `"${name}": ${pythonValue(itemOf(type), member, models, depth + 1)}`,
  );
  return block('{', members, '}', depth, '    ');
}

/** What the name of a list stands for. */
function resolved(type: Type, models: Model[]): Type {
  const model = type.kind === 'ref' ? models.find(({ name }) => name === type.name) : undefined;
  return model?.alias?.kind === 'array' ? model.alias : type;
}

const ANY: Type = { kind: 'any', isNullable: false };

function itemOf(type: Type): Type {
  if (type.kind === 'array' || type.kind === 'map') return type.items;
  if (type.kind !== 'union') return ANY;
  const list = type.variants.find(({ kind }) => kind === 'array' || kind === 'map');
  return list ? itemOf(list) : ANY;
}

function go(operation: Operation, example: unknown, models: Model[]): string {
  const { resource, name, body, query, page, result } = operation;
  const type: Type | undefined = body && { kind: 'ref', name: body.name, isNullable: false };
  const request =
    type &&
    (example === undefined
      ? `watchword.${goName(body!.name)}{}`
      : goValue(type, example, models, 0));
  const params = `watchword.${goName(resource)}${goName(name)}Params{}`;
  const given = [
    ...(page ? [] : ['ctx']),
    ...pathValues(operation, '"'),
    ...(request ? [request] : []),
    ...(query.length > 0 ? [params] : []),
  ];
  const call = `client.${goName(resource)}.${goName(name)}(${given.join(', ')})`;
  const start = `client, err := watchword.New("", watchword.WithBaseURL("${BASE_URL}"))\nif err != nil {\n\treturn err\n}\n`;
  if (page) {
    return `${start}for one, err := range ${call}.All(ctx) {\n\tif err != nil {\n\t\treturn err\n\t}\n\tlog.Print(one)\n}\n`;
  }
  return `${start}${result ? 'answer, err :=' : 'err ='} ${call}\n`;
}

function goValue(type: Type, value: unknown, models: Model[], depth: number): string {
  // Go has no unions: one of what may be a list is a list of one.
  if (goTypeOf(type).startsWith('[]') && !Array.isArray(value)) {
    return goValue(type, [value], models, depth);
  }
  if (typeof value === 'string') return goText(type, value);
  if (typeof value !== 'object' || value === null) return value === null ? 'nil' : String(value);
  if (Array.isArray(value)) {
    const list = resolved(type, models);
    const items = value.map((item) => goValue(itemOf(list), item, models, depth + 1));
    return block(`[]${goItem(list)}{`, items, '}', depth, '\t');
  }
  const model = modelOf(type, value, models);
  if (model) {
    const members = membersOf(model, value).map(
      ([field, member]) => `${goName(field.name)}: ${goMember(field, member, models, depth + 1)}`,
    );
    return block(`watchword.${goName(model.name)}{`, members, '}', depth, '\t');
  }
  const members = Object.entries(value).map(
    ([name, member]) => `"${name}": ${goValue(itemOf(type), member, models, depth + 1)}`,
  );
  return block(`map[string]${goItem(type)}{`, members, '}', depth, '\t');
}

/** Times stay readable: a variable stands for what \`time.Parse\` makes. */
function goText(type: Type, value: string): string {
  return type.kind === 'string' && type.isTime ? 'sendAt' : `"${escaped(value, '"')}"`;
}

function goItem(type: Type): string {
  const text = goTypeOf(itemOf(type));
  return /^[A-Z]/.test(text) ? `watchword.${text}` : text;
}

/** What can be absent is a pointer; lists and maps are not. */
function goMember({ type, isRequired }: Field, value: unknown, models: Model[], depth: number) {
  const text = goValue(type, value, models, depth);
  const isNilable = /^(?:\[\]|map\[|any$)/.test(goTypeOf(type));
  if (isNilable || (isRequired && !type.isNullable)) return text;
  return typeof value === 'number' && type.kind === 'integer'
    ? `watchword.Ptr(int64(${text}))`
    : `watchword.Ptr(${text})`;
}
