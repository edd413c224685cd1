import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { AGENT_TOOLS, type ErrorEnvelope, toolOutput } from '@watchword/contracts';
import type { ErrorAnswer } from '../../edge/filters/error-envelope.policy.js';
import type { ToolAnswer } from './agent-tools.js';

/** The tools as `tools/list` shows them. */
export const TOOL_LIST: Tool[] = Object.entries(AGENT_TOOLS).map(([name, tool]) => {
  const { title, description, input, isReadOnly } = tool;
  return {
    name,
    title,
    description,
    inputSchema: plain(input) as Tool['inputSchema'],
    outputSchema: plain(toolOutput(tool)) as Tool['outputSchema'],
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: false,
      idempotentHint: isReadOnly,
      openWorldHint: name.startsWith('send_'),
    },
  };
});

/** Returns the REST success body, and the same JSON as text. */
export function success({ body, replayed = false }: ToolAnswer): CallToolResult {
  return {
    ...resultOf(JSON.stringify(body)),
    ...(replayed && { _meta: { idempotent_replayed: true } }),
  };
}

/** Returns the REST error envelope, with the seconds of REST's `Retry-After` for every type. */
export function failure({ body, headers }: ErrorAnswer): CallToolResult {
  const { error } = JSON.parse(body) as ErrorEnvelope;
  const seconds = headers['retry-after'];
  if (seconds !== undefined) error.retry_after_seconds = Number(seconds);
  return { ...resultOf(JSON.stringify({ error })), isError: true };
}

/** Parsed again, so that both forms have the same members. */
function resultOf(text: string): CallToolResult {
  const structuredContent = JSON.parse(text) as Record<string, unknown>;
  return { content: [{ type: 'text', text }], structuredContent };
}

/** Returns the schema without TypeBox's symbols. */
function plain(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema));
}
