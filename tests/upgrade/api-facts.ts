/**
 * What clients of `/v1` may rely on, read from the OpenAPI document as a list of sentences. A release may add
 * sentences of `can`, but takes none away; it may take away sentences of `must`, but adds none about what was there (decisions 10). A new word in an answer, and a
 * narrower form of a value, are not seen.
 */
interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

export interface ApiFacts {
  /** What a client can ask, and what an answer has. */
  can: string[];
  /** What a request must have, and where a client must bear null. */
  must: string[];
}

const DEPTH_MAX = 12;

export function apiFacts(document: OpenApi): ApiFacts {
  const can = new Set<string>();
  const must = new Set<string>();
  const resolved = <Value extends { $ref?: string }>(value: Value): Value => {
    if (value.$ref === undefined) return value;
    const steps = value.$ref.split('/').slice(1);
    const found = steps.reduce<unknown>(
      (at, step) => (at as Record<string, unknown>)[step],
      document,
    );
    return resolved(found as Value);
  };

  /** Calls `tell` for each member of the schema, with whether it is in every value. */
  const walk = (
    given: Schema,
    path: string,
    always: boolean,
    tell: (path: string, type: string, always: boolean) => void,
    depth = 0,
  ): void => {
    if (depth > DEPTH_MAX) throw new Error(`${path} is deeper than ${DEPTH_MAX} levels`);
    const schema = resolved(given);
    const branches = schema.anyOf ?? schema.oneOf;
    for (const branch of branches ?? []) {
      const isOnly = branches!.filter((one) => resolved(one).type !== 'null').length === 1;
      walk(branch, path, always && isOnly, tell, depth + 1);
    }
    for (const part of schema.allOf ?? []) walk(part, path, always, tell, depth + 1);
    for (const type of [schema.type ?? []].flat()) tell(path, type, always);
    const words = [...(schema.enum ?? []), ...('const' in schema ? [schema.const] : [])];
    for (const word of words) tell(`${path} = ${JSON.stringify(word)}`, 'word', false);
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const isRequired = schema.required?.includes(name) ?? false;
      const inner = path === '' ? name : `${path}.${name}`;
      walk(member, inner, always && isRequired, tell, depth + 1);
    }
    if (schema.items) walk(schema.items, `${path}[]`, always, tell, depth + 1);
  };

  for (const [path, operations] of Object.entries(document.paths)) {
    if (!/^\/(?:v1|mcp|health)\b/.test(path)) continue;
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`;
      can.add(name);
      for (const parameter of (operation.parameters ?? []).map(resolved)) {
        can.add(`${name} takes ${parameter.in} ${parameter.name}`);
        if (parameter.required) must.add(`${name} needs ${parameter.in} ${parameter.name}`);
      }
      for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
        can.add(`${name} takes ${type}`);
        walk(schema, '', true, (member, kind, always) => {
          if (member === '') return;
          can.add(`${name} takes ${member}: ${kind}`);
          if (always) must.add(`${name} needs ${member}`);
        });
      }
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (!status.startsWith('2')) continue;
        can.add(`${name} answers ${status}`);
        for (const { schema } of Object.values(
          resolved(answer as Schema & typeof answer).content ?? {},
        )) {
          walk(schema ?? {}, '', true, (member, kind, always) => {
            if (member === '' || kind === 'word') return;
            if (kind === 'null') must.add(`${name} bears ${member}: null`);
            else can.add(`${name} ${always ? 'answers' : 'may answer'} ${member}: ${kind}`);
          });
        }
      }
    }
  }
  return { can: [...can].toSorted(), must: [...must].toSorted() };
}

/** Returns what `now` took away from a client of `then`, or asks of one anew. A `may` can become a promise. */
export function broken(then: ApiFacts, now: ApiFacts): string[] {
  const can = new Set(now.can);
  const operations = new Set(then.can.filter((fact) => !/ (?:takes|answers|may) /.test(fact)));
  const must = new Set(then.must);
  const isOfOld = (fact: string): boolean => {
    const [operation = '', member = ''] = fact.split(/ (?:needs|bears) /);
    if (!fact.includes(' bears ')) return operations.has(operation);
    const name = member.replace(/: null$/, ': ');
    return then.can.some((one) =>
      [' answers ', ' may answer '].some((verb) => one.startsWith(operation + verb + name)),
    );
  };
  const added = now.must.filter((fact) => !must.has(fact) && isOfOld(fact));
  const isKept = (fact: string) =>
    can.has(fact) || can.has(fact.replace(' may answer ', ' answers '));
  return [...then.can.filter((fact) => !isKept(fact)), ...added];
}
