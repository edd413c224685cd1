export * from './crash-point.js';
export * from './logger.js';
export * from './poll.js';
export * from './metrics.js';
export * from './metrics-document.js';
export { openTelemetry } from './open-telemetry.js';
export * from './tracing.js';
