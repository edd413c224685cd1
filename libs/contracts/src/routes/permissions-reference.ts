import { SETTING_ROLES } from '../http/workspace-settings.schema.js';
import type { Route } from './route.js';
import { ROUTES, routes } from './routes.js';

const HEAD = `# Permissions

Who may do what in a workspace. Owners and members have sessions of the dashboard; operators use
\`/operator/v1\`. API keys reach \`/v1\` and \`/mcp\` alone, as far as their permission goes. What a role
may not do answers 403 \`permission_error\`.
`;

const SETTINGS = `
## Settings of a workspace

Owners change settings with \`PATCH /dashboard/workspace\`, operators with \`PATCH
/operator/v1/workspaces/{id}\`. Where a setting has a floor, an operator's value is the loosest that an
owner may choose; the stricter of both holds, and \`null\` by an operator removes the floor. \`floors\`
of the workspace shows what is set. Of enabled countries the owner decides; the floor of
\`country_enforcement\` decides whether they are enforced.

| Setting | Member | Owner | Operator |
| --- | --- | --- | --- |
`;

const CELLS = {
  owner: ['reads', 'changes', 'changes'],
  floor: ['reads', 'changes, not below the floor', 'sets the floor'],
  operator: ['reads', 'reads', 'changes'],
} as const;

const CALLS = `
## Calls

| Call | Member | Owner | Operator's own |
| --- | --- | --- | --- |
`;

/** Returns the reference page of roles, made from the settings and the routes. */
export function permissionsReference(): string {
  const settings = Object.entries(SETTING_ROLES).map(([name, role]) => [
    `\`${name}\``,
    ...CELLS[role],
  ]);
  const calls = ROUTES.filter(({ path }) => path.startsWith('/dashboard/')).map(callRow);
  return `${HEAD}${SETTINGS}${rows(settings)}${CALLS}${rows(calls)}`;
}

function rows(cells: readonly (readonly string[])[]): string {
  return cells.map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function callRow(route: Route): string[] {
  const own = twinOf(route);
  return [shown(route), memberCell(route), 'yes', own ? shown(own) : ''];
}

function memberCell(route: Route): string {
  if (route === routes.removeMember) return 'of themselves';
  return route.role === 'owner' ? 'no' : 'yes';
}

/** Returns the operators' route for the same thing. */
function twinOf({ method, path }: Route): Route | undefined {
  const rest = path.slice('/dashboard'.length);
  const paths = [`/workspaces/:id${rest === '/workspace' ? '' : rest}`, rest];
  return ROUTES.find(
    (other) => other.method === method && paths.some((one) => other.path === `/operator/v1${one}`),
  );
}

function shown({ method, path }: Route): string {
  return `\`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\``;
}
