import { BODY_BOUNDS } from './body-bounds.js';
import { routesOf } from './route.js';

/**
 * The agent endpoint uses JSON-RPC, so the OpenAPI document leaves it out; `tools/list` describes
 * it.
 */
export const agentRoutes = routesOf(
  {
    tag: 'Agents',
    guard: 'key',
    permissions: ['agent'],
    limits: { errorType: 'rate_limited', inBand: true },
  },
  {
    callAgentTool: {
      at: 'POST /mcp',
      summary: 'Call a tool as an agent',
      bodyBounds: BODY_BOUNDS.oneMessage,
      undocumented: true,
    },
  },
);
