/** Gives a name to each object that the document describes in place, because every language needs one. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: string[];
  const?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  additionalProperties?: Schema | false;
}

interface Place {
  parent: string;
  member: string;
  schema: Schema;
  replace: (reference: Schema) => void;
}

export const isObject = (schema: Schema): boolean =>
  schema.type === 'object' && !schema.additionalProperties;

export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

export function nameInline(given: Record<string, Schema>): Record<string, Schema> {
  const schemas = structuredClone(given);
  const named = new Map(
    Object.entries(schemas)
      .filter(([, schema]) => isObject(schema))
      .map(([name, schema]) => [shapeOf(schema), name]),
  );
  // The innermost first: an outer shape then refers to them by name.
  const places = Object.entries(schemas).flatMap(([name, schema]) => placesIn(name, schema));
  const shapes = Map.groupBy(places, ({ member }) => member);
  const isAlone = (member: string) =>
    new Set(shapes.get(member)?.map(({ schema }) => shapeOf(schema))).size === 1;
  const alone = new Set([...shapes.keys()].filter(isAlone));
  for (const { parent, member, schema, replace } of places) {
    const shape = shapeOf(schema);
    const short = pascal(member);
    const name =
      named.get(shape) ?? (alone.has(member) && !schemas[short] ? short : parent + short);
    named.set(shape, name);
    schemas[name] ??= schema;
    replace({ $ref: `#/components/schemas/${name}`, description: schema.description ?? '' });
  }
  return schemas;
}

function placesIn(parent: string, schema: Schema): Place[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([member, value]) => {
    const name = value.type === 'array' ? member.replace(/ies$/, 'y').replace(/s$/, '') : member;
    const replace = (reference: Schema) => {
      schema.properties![member] = reference;
    };
    return placesOf({ parent, member: name, schema: value, replace });
  });
  const variants = schema.oneOf?.flatMap((variant) => placesIn(parent, variant)) ?? [];
  return [...inner, ...variants];
}

function placesOf(place: Place): Place[] {
  const { parent, member, schema } = place;
  if (schema.type === 'array' && schema.items) {
    const replace = (reference: Schema) => {
      schema.items = reference;
    };
    return placesOf({ parent, member, schema: schema.items, replace });
  }
  if (!isObject(schema)) return [];
  return [...placesIn(parent + pascal(member), schema), place];
}

/** The members and their types, without descriptions and limits. */
function shapeOf(schema: Schema): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === 'examples' || (key === 'description' && typeof value === 'string') ? undefined : value,
  );
}
