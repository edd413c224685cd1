/** Where `npm run test:nightly -- chart` has built a tool; undefined before that. */
export function builtTool(name: string): string | undefined;
