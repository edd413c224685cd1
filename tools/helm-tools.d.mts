/** Where `npm run test:helm` has built a tool; undefined before that. */
export function builtTool(name: string): string | undefined;
