import { OneOf, Url, WholeNumber } from '../kinds.js';
import { Setting } from '../setting.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const REQUEST_LOG_MODES = ['all', 'failed', 'off'] as const;
export type RequestLogMode = (typeof REQUEST_LOG_MODES)[number];

/** Settings of logs, metrics and traces. */
export class ObservabilitySettings {
  @Setting('METRICS_PORT', 'TCP port of /health, /ready and /metrics of this process.', {
    fallbackText: 'none; embedded: the port of last time, or any free one',
  })
  @WholeNumber(0, 65_535)
  readonly metricsPort: number = 0;

  @Setting('LOG_LEVEL', 'The least severe log line that is written.')
  @OneOf(LOG_LEVELS)
  readonly logLevel: (typeof LOG_LEVELS)[number] = 'info';

  @Setting(
    'REQUEST_LOG',
    'Requests that get a log line at info: all (about 10 µs for each request), failed (refused, failed or over 1 s: about 10 µs for each of these), or none (off: no cost).',
    { readBy: ['gateway'], fallbackText: 'all on a terminal, else failed' },
  )
  @OneOf(REQUEST_LOG_MODES)
  readonly requestLog: RequestLogMode = process.stdout.isTTY ? 'all' : 'failed';

  @Setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTLP collector (HTTP) that gets a trace of each message; further OTEL_* variables as usual.',
    { fallbackText: 'none: nothing is traced' },
  )
  @Url('http', 'https')
  readonly otlpEndpoint: string = '';
}
