import { type Static, Type } from '@sinclair/typebox';
import { OPENAPI_VERSIONS } from '../openapi/audiences.js';
import { words } from '../shapes.js';

/** `3.0` is for generators that do not read 3.1. */
export const OpenApiQuery = Type.Object({ version: Type.Optional(words(...OPENAPI_VERSIONS)) });
export type OpenApiQuery = Static<typeof OpenApiQuery>;
