import type { Config } from '@watchword/config';
import { openTelemetry, recordTraces } from '@watchword/observability';
import type { Closers } from '../closers.js';

/** Starts tracing where an OTLP collector is set. Loads its packages only then. */
export async function startTracing(config: Config, closers: Closers): Promise<void> {
  const { otlpEndpoint: endpoint, services } = config;
  if (endpoint === '') return;
  const serviceName = services.length === 1 ? `watchword-${services[0]}` : 'watchword';
  const { record, close } = await openTelemetry({ endpoint, serviceName });
  recordTraces(record);
  closers.add({
    async close() {
      recordTraces(undefined);
      await close();
    },
  });
}
