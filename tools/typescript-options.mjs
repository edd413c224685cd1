/** SWC's options for the build and for tests. */

/** Decorators and their types as `tsc` writes them: Nest injects by type. */
export const TYPESCRIPT = {
  swcrc: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2024',
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
};
