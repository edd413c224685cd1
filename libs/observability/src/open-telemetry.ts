import type { OpenTelemetry, OpenTelemetryOptions } from './open-telemetry.adapter.js';

/** In its own file, so that the many packages are loaded only where tracing is on. */
export async function openTelemetry(options: OpenTelemetryOptions): Promise<OpenTelemetry> {
  const { startOpenTelemetry } = await import('./open-telemetry.adapter.js');
  return startOpenTelemetry(options);
}
