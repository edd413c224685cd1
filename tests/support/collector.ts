import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number };
  /** Service of the process. */
  service: string;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: Omit<Span, 'service'>[] }[];
  }[];
}

/** An OTLP collector that stores what it gets. */
export class Collector {
  readonly spans: Span[] = [];
  readonly paths = new Set<string>();
  private server!: Server;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        this.paths.add(request.url ?? '');
        this.keep(JSON.parse(text) as Export);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Returns the spans of a message. */
  of(messageId: string): Span[] {
    return this.spans.filter(({ traceId }) => traceId === messageId.replaceAll('-', ''));
  }

  /** Returns a message's spans as indented lines, each below its cause. */
  treeOf(messageId: string, lineOf: (span: Span) => string = ({ name }) => name): string[] {
    const spans = this.of(messageId);
    const under = (parent: string, depth: number): string[] =>
      spans
        .filter(({ parentSpanId = '' }) => parentSpanId === parent)
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .flatMap((span) => ['  '.repeat(depth) + lineOf(span), ...under(span.spanId, depth + 1)]);
    return under('', 0);
  }

  private keep({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const named = resource.attributes.find(({ key }) => key === 'service.name');
      const service = String(named?.value['stringValue']);
      for (const { spans } of scopeSpans) {
        this.spans.push(...spans.map((span) => ({ ...span, service })));
      }
    }
  }
}
