/** Writes the models, resources and error classes of the TypeScript SDK. */
import { pascal } from './inline-objects.ts';
import type { Field, Model, Operation, SdkModel, Type } from './model.ts';
import { classOf, groupOf, inGroups, BY_STATUS, NOTICE } from './errors.ts';

export function typescriptFiles(model: SdkModel): Record<string, string> {
  return {
    'models.generated.ts': models(model),
    'resources.generated.ts': resources(model),
    'errors.generated.ts': errors(model),
    'version.generated.ts': `// ${NOTICE}\nexport const VERSION = '${model.version}';\n`,
  };
}

function models({ models: all, eventTypes }: SdkModel): string {
  const events = `/** Name of an event. */\nexport type EventType = ${union(eventTypes)};`;
  return [`// ${NOTICE}`, ...all.map(modelOf), events].join('\n\n') + '\n';
}

function modelOf({ name, fields, alias }: Model): string {
  if (!fields) return `export type ${name} = ${typeText(alias!)};`;
  return `export interface ${name} ${membersOf(fields)}`;
}

function membersOf(fields: Field[]): string {
  const lines = fields.flatMap(({ name, description, type, isRequired }) => [
    ...(description ? [`  /** ${description} */`] : []),
    `  ${name}${isRequired ? '' : '?'}: ${typeText(type)}${isRequired ? '' : ' | undefined'};`,
  ]);
  return ['{', ...lines, '}'].join('\n');
}

const union = (values: string[]) => values.map((value) => `'${value}'`).join(' | ');

function typeText(type: Type): string {
  const text = plainTypeText(type);
  return type.isNullable ? `${text} | null` : text;
}

function plainTypeText(type: Type): string {
  switch (type.kind) {
    case 'string':
      return type.values ? union(type.values) : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'any':
      return 'unknown';
    case 'array':
      return `Array<${typeText(type.items)}>`;
    case 'map':
      return `Record<string, ${typeText(type.items)}>`;
    case 'ref':
      return type.name;
    case 'union':
      return type.variants.map(typeText).join(' | ');
  }
}

function resources({ operations, models: all }: SdkModel): string {
  const byResource = Map.groupBy(operations, ({ resource }) => resource);
  const classes = [...byResource].map(([resource, own]) =>
    [
      `export class ${pascal(resource)}Resource {`,
      '  readonly #transport: Transport;\n',
      '  constructor(transport: Transport) {\n    this.#transport = transport;\n  }\n',
      own.map(methodOf).join('\n\n'),
      '}',
    ].join('\n'),
  );
  const queries = operations.filter(({ query }) => query.length > 0).map(queryOf);
  const text = [...queries, ...classes].join('\n\n');
  const code = text.replaceAll(/\/\*\*.*?\*\//gs, '');
  const used = all.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return [
    `// ${NOTICE}`,
    `import type { ${used.join(', ')} } from './models.generated.js';`,
    "import { Pages } from './pages.js';",
    "import { type RequestOptions, Transport } from './transport.js';",
    '',
    text,
    '',
  ].join('\n');
}

const queryName = ({ resource, name }: Operation) => `${pascal(resource)}${pascal(name)}Query`;

function queryOf(operation: Operation): string {
  return `export interface ${queryName(operation)} ${membersOf(operation.query)}`;
}

/** \`/v1/otp/{id}\` with the encoded values of its parameters. */
function pathText({ path, pathFields }: Operation): string {
  if (pathFields.length === 0) return `'${path}'`;
  return `\`${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${segment('${name}', ${camel(name)})}`)}\``;
}

const camel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function methodOf(operation: Operation): string {
  const { name, method, body, isBodyRequired, query, result, page, isPost } = operation;
  const parameters = operation.pathFields.map((field) => `${camel(field.name)}: string`);
  if (body) parameters.push(`body: ${body.name}${isBodyRequired ? '' : ' = {}'}`);
  if (query.length > 0) parameters.push(`query: ${queryName(operation)} = {}`);
  parameters.push('options: RequestOptions = {}');
  const returned = page
    ? `Pages<${typeText(page.item)}>`
    : `Promise<${result ? typeText(result) : 'void'}>`;
  const check = operation.numberCheck;
  const request = [
    `method: '${method}'`,
    `path: ${pathText(operation).replaceAll('segment(', 'Transport.segment(')}`,
    ...(body ? ['body'] : isPost ? ['body: {}'] : []),
    ...(query.length > 0 ? ['query: { ...query }'] : []),
    ...(check ? [`number: { field: '${check.field}', type: '${check.type}' }`] : []),
  ].join(', ');
  const call = page
    ? `new Pages(this.#transport, { ${request} }, '${page.parameter}', options)`
    : `this.#transport.send({ ${request} }, options)`;
  return [
    `  /** ${[operation.summary, operation.description].filter(Boolean).join('. ').replace(/\.\./g, '.')} */`,
    `  ${name}(${parameters.join(', ')}): ${returned} {`,
    `    return ${call};`,
    '  }',
  ].join('\n');
}

function errors({ errors: all }: SdkModel): string {
  const groups = inGroups(all).map(
    ({ name, description }) => `/** ${description} */\nexport class ${name} extends ApiError {}`,
  );
  const classes = all
    .filter(({ type, status }) => classOf(type) !== groupOf(status))
    .map(({ type, status, description }) => {
      const parent = groupOf(status);
      return `/** ${description} */\nexport class ${classOf(type)} extends ${parent} {}`;
    });
  const distinct = [...new Set(classes)];
  const byType = all.map(({ type }) => `  ${type}: ${classOf(type)},`);
  const byStatus = Object.entries(BY_STATUS).map(([status, [type]]) => `  ${status}: '${type}',`);
  return [
    `// ${NOTICE}`,
    "import { ApiError } from './errors.js';",
    "import type { ErrorType } from './models.generated.js';\n",
    [...groups, ...distinct].join('\n\n'),
    '\nexport const ERROR_CLASSES: Record<ErrorType, typeof ApiError> = {',
    ...byType,
    '};\n',
    '/** The type of an answer that is not in the form of the API, for example of a proxy. */',
    'export const TYPE_BY_STATUS: Record<number, ErrorType> = {',
    ...byStatus,
    '};',
    '',
  ].join('\n');
}
