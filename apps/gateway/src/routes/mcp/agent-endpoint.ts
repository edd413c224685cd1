import type { IncomingMessage } from 'node:http';
import { toWebRequest } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Logger } from '@watchword/observability';
import { answerFor } from '../../edge/filters/error-envelope.policy.js';
import { countRefusal, countUnexpected } from '../../edge/server/http-adapter.js';
import { type AgentCall, type AgentTools, toolName } from './agent-tools.js';
import { failure, success, TOOL_LIST } from './tool-result.policy.js';

/** The current version of the protocol and the two before it. None has batches. */
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18'];

const INSTRUCTIONS =
  'Sends one-time passwords and SMS with prepaid credits. Ask get_pricing or a dry_run before large ' +
  'sends. Give each send an idempotency_key and repeat it with the same key if no answer arrives. ' +
  'Wait retry_after_seconds after rate_limited.';

/**
 * Streamable HTTP without sessions: one server object per request, nothing kept between two.
 * Versions since 2026-07-28 send their envelope with each request; older ones start with
 * `initialize`.
 */
export class AgentEndpoint {
  private readonly current: McpHttpHandler;

  constructor(
    private readonly tools: AgentTools,
    private readonly logger: Logger,
    private readonly publicAddress: string,
  ) {
    this.current = createMcpHandler(({ authInfo }) => this.serverFor(callIn(authInfo)), {
      legacy: 'reject',
      // The list of tools never changes, so there is nothing to subscribe to.
      maxSubscriptions: 0,
    });
  }

  async answer(received: IncomingMessage, message: object, call: AgentCall): Promise<Response> {
    const request = await toWebRequest(received, message);
    if (await isLegacyRequest(request, message)) return this.answerOlder(request, message, call);
    return this.current.fetch(request, { parsedBody: message, authInfo: authInfoOf(call) });
  }

  private async answerOlder(request: Request, message: object, call: AgentCall): Promise<Response> {
    const server = this.serverFor(call);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  private serverFor(call: AgentCall): Server {
    const server = new Server(
      { name: 'watchword', title: 'Watchword', version: '1.0.0' },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        supportedProtocolVersions: PROTOCOL_VERSIONS,
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: TOOL_LIST }));
    server.setRequestHandler('tools/call', ({ params }) =>
      this.callTool(params.name, params.arguments, call),
    );
    return server;
  }

  private async callTool(name: string, input: unknown, call: AgentCall) {
    const tool = toolName(name);
    try {
      return success(await this.tools.call(tool, input, call));
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const answer = answerFor(error, call.requestId, {
        language: call.language,
        publicAddress: this.publicAddress,
      });
      countRefusal({ type: answer.type });
      call.noteErrorType(answer.type);
      if (answer.unexpected) {
        countUnexpected({});
        this.logger.error({ request_id: call.requestId, tool, err: error }, 'a tool call failed');
      }
      return failure(answer);
    }
  }
}

/** Returns the caller that the guard found. The library passes it on with the request. */
function authInfoOf(call: AgentCall): AuthInfo {
  return { token: '', clientId: call.caller.keyId, scopes: [], extra: { call } };
}

function callIn(authInfo: AuthInfo | undefined): AgentCall {
  const call = authInfo?.extra?.['call'];
  if (!call) throw new Error('an agent request came without its caller');
  return call as AgentCall;
}
