import type { ListeningAddress } from './listening-address.js';
import { startNest } from './nest-host.js';
import { openPlatforms, type PlatformGround, type Platforms } from './open-platforms.js';
import { startStatusServer } from './status/status-server.js';
import { startTracing } from './tracing/start-tracing.js';

export interface Ground extends PlatformGround {
  address: ListeningAddress;
  /** Runs when the services can call each other, before they accept requests. */
  prepare?: (platforms: Platforms) => Promise<void>;
}

/** Starts the services on a running database until they listen. */
export async function startServices(ground: Ground): Promise<void> {
  const { config, address, logger, closers, definitions } = ground;
  await startTracing(config, closers);
  const opened = await openPlatforms(ground);
  const { platforms, rpc } = opened;
  const services = definitions.flatMap((service) => {
    const platform = platforms.get(service.name);
    return platform ? [[service, platform] as const] : [];
  });
  const prepare = async () => {
    await ground.prepare?.(platforms);
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
