/** Writes the models, resources and error classes of the Python SDK. */
import { BY_STATUS, classOf, groupOf, inGroups, NOTICE } from './errors.ts';
import { pascal } from './inline-objects.ts';
import type { Field, Model, Operation, SdkModel, Type } from './model.ts';

export function pythonFiles(model: SdkModel): Record<string, string> {
  return {
    'models.py': models(model),
    '_resources.py': resources(model, false),
    '_async_resources.py': resources(model, true),
    'errors.py': errors(model),
    '_version.py': `# ${NOTICE}\nVERSION = "${model.version}"\n`,
  };
}

const BASES = ['ApiError', 'ConnectionError', 'SignatureError', 'TimeoutError', 'WatchwordError'];

/** Words of Python that members of the API have. Their names end in an underscore. */
const RESERVED = new Set(['from', 'global', 'import', 'class']);

export const argument = (name: string) => (RESERVED.has(name) ? `${name}_` : name);

export const snake = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function models({ models: all, eventTypes }: SdkModel): string {
  const classes = all.filter(({ fields }) => fields).map(classText);
  const aliases = all
    .filter(({ alias }) => alias)
    .map(({ name, alias, isRequest }) => `${name} = ${typeText(alias!, isRequest)}`);
  return [
    `# ${NOTICE}`,
    '"""What the API takes and returns."""',
    'from __future__ import annotations\n',
    'from dataclasses import dataclass',
    'from datetime import datetime',
    'from typing import Any, Dict, List, Optional, Union\n',
    'from ._codec import UNSET, Literal, Unset\n',
    ...classes.map((text) => `\n${text}`),
    `\nEventType = Literal[${eventTypes.map((name) => `"${name}"`).join(', ')}]`,
    ...aliases.map((text) => text),
    '',
  ].join('\n');
}

function classText({ name, fields = [], isRequest }: Model): string {
  // A field without a default cannot follow one with a default.
  const isLast = (field: Field) => hasDefault(field, isRequest);
  const ordered = fields.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
  const lines = ordered.flatMap((field) => [
    `    ${argument(field.name)}: ${memberType(field, isRequest)}${defaultOf(field, isRequest)}`,
    ...(field.description ? [`    """${escape(field.description)}"""`] : []),
  ]);
  return ['@dataclass(frozen=True)', `class ${name}:`, ...lines, ''].join('\n');
}

const escape = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");

function hasDefault({ type, isRequired }: Field, isRequest: boolean): boolean {
  return !isRequired || (isRequest && constantOf(type) !== undefined);
}

function constantOf(type: Type): string | undefined {
  return type.kind === 'string' && type.isConstant ? type.values![0] : undefined;
}

/** A request can leave a member out or make it null. An answer has None for both. */
function memberType({ type, isRequired }: Field, isRequest: boolean): string {
  if (isRequired) return typeText(type, isRequest);
  if (isRequest && type.isNullable) return `Union[${typeText(type, isRequest)}, Unset]`;
  return type.isNullable ? typeText(type, isRequest) : `Optional[${typeText(type, isRequest)}]`;
}

function defaultOf(field: Field, isRequest: boolean): string {
  if (!hasDefault(field, isRequest)) return '';
  const constant = isRequest ? constantOf(field.type) : undefined;
  if (constant !== undefined) return ` = "${constant}"`;
  return field.type.isNullable && isRequest ? ' = UNSET' : ' = None';
}

function typeText(type: Type, isRequest: boolean, prefix = ''): string {
  const text = plainTypeText(type, isRequest, prefix);
  return type.isNullable ? `Optional[${text}]` : text;
}

function plainTypeText(type: Type, isRequest: boolean, prefix: string): string {
  const inner = (one: Type) => typeText(one, isRequest, prefix);
  switch (type.kind) {
    case 'string':
      if (type.isTime) return isRequest ? 'Union[datetime, str]' : 'datetime';
      if (type.values) return `Literal[${type.values.map((value) => `"${value}"`).join(', ')}]`;
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'any':
      return 'Any';
    case 'array':
      return `List[${inner(type.items)}]`;
    case 'map':
      return `Dict[str, ${inner(type.items)}]`;
    case 'ref':
      return prefix + type.name;
    case 'union':
      return `Union[${type.variants.map(inner).join(', ')}]`;
  }
}

function resources({ operations }: SdkModel, isAsync: boolean): string {
  const byResource = Map.groupBy(operations, ({ resource }) => resource);
  const prefix = isAsync ? 'Async' : '';
  const transport = `${prefix}Transport`;
  const classes = [...byResource].map(([resource, own]) =>
    [
      `class ${prefix}${pascal(resource)}Resource:`,
      `    def __init__(self, transport: ${transport}) -> None:`,
      '        self._transport = transport',
      ...own.map((operation) => `\n${methodText(operation, isAsync)}`),
      '',
    ].join('\n'),
  );
  return [
    `# ${NOTICE}`,
    'from __future__ import annotations\n',
    'from datetime import datetime',
    'from typing import Any, Dict, List, Optional, Union\n',
    'from . import models',
    'from ._call import Call, RequestOptions, segment',
    'from ._codec import UNSET, Literal, Unset, given',
    `from ._pages import ${prefix}Pages`,
    `from ._${isAsync ? 'async_' : ''}transport import ${transport}\n`,
    ...classes.map((text) => `\n${text}`),
  ].join('\n');
}

function methodText(operation: Operation, isAsync: boolean): string {
  const { name, body, query, page, result, pathFields } = operation;
  const members = [...(body?.fields ?? []), ...query].filter(
    (field) => constantOf(field.type) === undefined,
  );
  const keywords = members
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
    .map((field) => `${argument(field.name)}: ${keywordText(field, body !== undefined)}`);
  const parameters = [
    'self',
    ...pathFields.map((field) => `${field.name}: str`),
    ...(body && !body.fields ? [`body: ${typeText(body.alias!, true, 'models.')}`] : []),
    '*',
    ...keywords,
    'options: Optional[RequestOptions] = None',
  ];
  const returned = page
    ? `${isAsync ? 'Async' : ''}Pages[${typeText(page.item, false, 'models.')}]`
    : result
      ? typeText(result, false, 'models.')
      : 'None';
  const about = [operation.summary, operation.description].filter(Boolean).join('. ');
  const documented = members.filter(({ description }) => description);
  const lines = documented.map(
    (field) => `            ${argument(field.name)}: ${field.description}`,
  );
  const text =
    lines.length > 0 ? `${about}\n\n        Args:\n${lines.join('\n')}\n        ` : about;
  const [keyword, wait] = isAsync && !page ? ['async def', 'await '] : ['def', ''];
  return [
    `    ${keyword} ${snake(name)}(`,
    ...parameters.map((parameter) => `        ${parameter},`),
    `    ) -> ${returned}:`,
    `        """${escape(text.replaceAll('..', '.'))}"""`,
    `        call = ${callText(operation)}`,
    page
      ? `        return ${isAsync ? 'Async' : ''}Pages(self._transport, call, options, "${page.parameter}")`
      : result
        ? `        result: ${returned} = ${wait}self._transport.send(call, options)\n        return result`
        : `        ${wait}self._transport.send(call, options)`,
  ].join('\n');
}

function keywordText({ type, isRequired }: Field, isRequest: boolean): string {
  const text = typeText(type, true, 'models.');
  if (isRequired) return text;
  if (type.isNullable && isRequest) return `Union[${text}, Unset] = UNSET`;
  return `Optional[${text}] = None`;
}

function callText({
  method,
  path,
  pathFields,
  body,
  query,
  result,
  page,
  isPost,
  numberCheck,
}: Operation): string {
  const quoted = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `{segment('${name}', ${name})}`,
  );
  const members = (fields: Field[]) =>
    `{${fields.map(({ name, type }) => `"${name}": ${JSON.stringify(constantOf(type)) ?? argument(name)}`).join(', ')}}`;
  const nullable =
    body?.fields?.filter(({ type }) => type.isNullable).map(({ name }) => `"${name}"`) ?? [];
  const given = (fields: Field[]) => `given(${[members(fields), ...nullable].join(', ')})`;
  const returned = page
    ? typeText(page.item, false, 'models.')
    : result && typeText(result, false, 'models.');
  const parts = [
    `"${method}"`,
    pathFields.length > 0 ? `f"${quoted}"` : `"${path}"`,
    ...(body?.fields
      ? [`body=${given(body.fields)}`]
      : body
        ? ['body=body']
        : isPost
          ? ['body={}']
          : []),
    ...(query.length > 0 ? [`query=${members(query)}`] : []),
    ...(returned ? [`result=${returned}`] : []),
    ...(numberCheck ? [`number=("${numberCheck.field}", "${numberCheck.type}")`] : []),
  ];
  return `Call(${parts.join(', ')})`;
}

function errors({ errors: all }: SdkModel): string {
  const classText = (name: string, parent: string, description: string) =>
    `\n\nclass ${name}(${parent}):\n    """${description}"""`;
  const groups = inGroups(all).map(({ name, description }) =>
    classText(name, 'ApiError', description),
  );
  const classes = all
    .filter(({ type, status }) => classOf(type) !== groupOf(status))
    .map(({ type, status, description }) => classText(classOf(type), groupOf(status), description));
  const generated = all.flatMap(({ type, status }) => [classOf(type), groupOf(status)]);
  const names = [...new Set([...BASES, ...generated])].toSorted();
  return [
    `# ${NOTICE}`,
    '"""The classes of errors. Match on `type`, or catch a class."""',
    'from typing import Dict, Type\n',
    'from ._errors import ApiError, ConnectionError, SignatureError, TimeoutError, WatchwordError\n',
    '__all__ = [',
    ...names.map((name) => `    "${name}",`),
    ']',
    ...groups,
    ...new Set(classes),
    '\n\nERROR_CLASSES: Dict[str, Type[ApiError]] = {',
    ...all.map(({ type }) => `    "${type}": ${classOf(type)},`),
    '}\n',
    '# The type of an answer that is not in the form of the API, for example of a proxy.',
    'TYPE_BY_STATUS: Dict[int, str] = {',
    ...Object.entries(BY_STATUS).map(([status, [type]]) => `    ${status}: "${type}",`),
    '}',
    '',
  ].join('\n');
}
