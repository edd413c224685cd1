import { createLogger } from '@watchword/observability';
import type { ServiceDefinition } from '@watchword/platform';
import { reserveAddress } from './listening-address.js';
import { runHost } from './run-host.js';
import { UserError } from './user-error.js';

/** Runs a service as its own process: `node apps/<service>/dist/main.js`. */
export function runService(definition: ServiceDefinition): Promise<void> {
  const { name } = definition;
  return runHost({
    name,
    settings: { SERVICES: name },
    async boot({ config: settings, closers, onFailure }) {
      if (settings.databaseUrl === '') {
        throw new UserError(
          'DATABASE_URL must be set: a service on its own shares its PostgreSQL with the others.',
        );
      }
      const address = await reserveAddress(settings);
      const logger = createLogger({ service: name, level: settings.logLevel });
      const callbackBaseUrl = settings.callbackBaseUrl || address.baseUrl;
      const { startServices } = await import('./start-services.js');
      await startServices({
        config: { ...settings, callbackBaseUrl },
        adminUrl: settings.databaseUrl,
        address,
        logger,
        closers,
        definitions: [definition],
        onFailure,
      });
      const { metricsPort, internalHost } = settings;
      if (metricsPort === 0) return `Watchword ${name} is running`;
      return `Watchword ${name} is running; its status is at http://${internalHost}:${metricsPort}/ready`;
    },
  });
}
