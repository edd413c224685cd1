import { type TSchema, Type } from '@sinclair/typebox';

/** The value of the schema, or null. */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** One of these words. */
export const words = <Word extends string>(...list: Word[]) =>
  Type.Union(list.map((word) => Type.Literal(word)));
