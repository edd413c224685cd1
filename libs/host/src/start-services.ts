import type { ListeningAddress } from './listening-address.js';
import { startNest } from './nest-host.js';
import { openPlatforms, type PlatformEnvironment, type Platforms } from './open-platforms.js';
import { startStatusServer } from './status/status-server.js';
import { startTracing } from './tracing/start-tracing.js';

export interface Environment extends PlatformEnvironment {
  address: ListeningAddress;
  /** Runs when the services can call each other, before they accept requests. */
  prepare?: (platforms: Platforms) => Promise<void>;
}

/** Starts the services on a running database until they listen. */
export async function startServices(environment: Environment): Promise<void> {
  const { config, address, logger, closers, definitions } = environment;
  await startTracing(config, closers);
  const opened = await openPlatforms(environment);
  const { platforms, rpc } = opened;
  const services = definitions.flatMap((service) => {
    const platform = platforms.get(service.name);
    return platform ? [[service, platform] as const] : [];
  });
  const prepare = async () => {
    await environment.prepare?.(platforms);
    await rpc.listen();
  };
  const nest = await startNest(services, address, logger, prepare);
  const status = await startStatusServer({ ...opened, config, logger });
  closers.add({ close: () => status.close() });
  closers.add({
    async close() {
      status.leaving();
      await Promise.all([rpc.leave(), nest.close()]);
    },
  });
}
