import { type SchemaOptions, type StringOptions, type TSchema, Type } from '@sinclair/typebox';
import type { ErrorText } from './errors/error-catalogue.js';

/** An id of a kind. In the JSON schema it is a string like any other. */
export const idOf = <Id extends string>(options?: StringOptions) =>
  Type.Unsafe<Id>(Type.String(options));

/** The value of the schema, or null. */
export const nullable = <Schema extends TSchema>(schema: Schema, options?: SchemaOptions) =>
  Type.Union([schema, Type.Null()], options);

const FORM = Symbol('sentence for a wrong form');

/** Adds a sentence that says what a wrong form must be. No schema in a document shows it. */
export const formed = <Schema extends TSchema>(schema: Schema, sentence: ErrorText): Schema => ({
  ...schema,
  [FORM]: sentence,
});

/** Returns the sentence that `formed` added. */
export const formOf = (schema: object): ErrorText | undefined =>
  (schema as { [FORM]?: ErrorText })[FORM];

const PUBLISHED = Symbol('schema that documents show');

/** Checks the one schema and shows the other: items of a batch are checked one by one, and their faults answered. */
export const published = <Checked extends TSchema>(checked: Checked, shown: TSchema): Checked => ({
  ...checked,
  [PUBLISHED]: shown,
});

/** Returns the schema that `published` shows. */
export const publishedOf = (value: unknown): TSchema | undefined =>
  (value as { [PUBLISHED]?: TSchema } | null)?.[PUBLISHED];

export const words = <Word extends string>(...list: Word[]) =>
  Type.Union(list.map((word) => Type.Literal(word)));

/** An answer that says no more than one of these words. */
export const verdict = <Word extends string>(...list: Word[]) =>
  Type.Object({ verdict: words(...list) });

/** A page of a list. The last page has no `next_cursor`. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ data: Type.Array(item), next_cursor: Type.Optional(Type.String()) });
