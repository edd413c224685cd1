// Written by `npm run docs` from the OpenAPI document. Do not edit.
export const VERSION = '0.3.0';
