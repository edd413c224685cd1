import type { OpenTelemetry, OpenTelemetryOptions } from './open-telemetry.adapter.js';

/** Its packages are many, and loaded only by who wants them. */
export async function openTelemetry(options: OpenTelemetryOptions): Promise<OpenTelemetry> {
  const { startOpenTelemetry } = await import('./open-telemetry.adapter.js');
  return startOpenTelemetry(options);
}
