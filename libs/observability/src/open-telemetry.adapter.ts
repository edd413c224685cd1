import { setTimeout as sleep } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { spanIdOf, traceIdOf, type TraceStep } from './tracing.js';

export interface OpenTelemetryOptions {
  /** Address of the collector, without a path. */
  endpoint: string;
  serviceName: string;
}

export interface OpenTelemetry {
  record(step: TraceStep): void;
  /** Sends the remaining spans, if the collector takes them within a second. */
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 1_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/**
 * Sends spans to an OTLP collector in batches. Spans that it does not take in time are dropped.
 * Other settings are OpenTelemetry's own environment variables. To sample a share of traces, use
 * `OTEL_TRACES_SAMPLER=traceidratio`, by which every process decides alike.
 */
export function startOpenTelemetry(options: OpenTelemetryOptions): OpenTelemetry {
  const ids = new GivenIds();
  const url = `${options.endpoint.replace(/\/$/, '')}/v1/traces`;
  const sdk = new NodeSDK({
    serviceName: options.serviceName,
    traceExporter: new OTLPTraceExporter({ url }),
    idGenerator: ids,
    instrumentations: [],
    // Metrics are for Prometheus, and logs are on standard output.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  const tracer = trace.getTracer('watchword');
  const record = (step: TraceStep): void => {
    const { messageId, under, name, kind, startedAt, endedAt, failed = false, attributes } = step;
    ids.give(traceIdOf(messageId), spanIdOf(messageId, step.step));
    const context =
      under === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, contextOf(messageId, under));
    const facts = { ...attributes, 'messaging.message.conversation_id': messageId };
    const how = { kind: kinds[kind], startTime: startedAt, attributes: facts };
    const span = tracer.startSpan(name, how, context);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endedAt);
  };
  return { record, close: () => closed(sdk) };
}

/** A hanging collector must not delay a stop. */
async function closed(sdk: NodeSDK): Promise<void> {
  const timeout = sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false });
  await Promise.race([sdk.shutdown().catch(() => undefined), timeout]);
}

function contextOf(messageId: string, step: string): SpanContext {
  return {
    traceId: traceIdOf(messageId),
    spanId: spanIdOf(messageId, step),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  };
}

/** Ids for the next span. A span is created synchronously, so it takes those set just before. */
class GivenIds {
  private traceId = '';
  private spanId = '';

  give(traceId: string, spanId: string): void {
    this.traceId = traceId;
    this.spanId = spanId;
  }

  generateTraceId(): string {
    return this.traceId;
  }

  generateSpanId(): string {
    return this.spanId;
  }
}
