import type { Platform, ServiceDefinition } from '@watchword/platform';
import { Closers } from './closers.js';
import { openPlatforms, type PlatformEnvironment } from './open-platforms.js';

/** Does work with a service's platform without running the service: first-run data, tools. */
export async function actAs<Result>(
  service: ServiceDefinition,
  environment: Omit<PlatformEnvironment, 'closers' | 'definitions'>,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  const closers = new Closers();
  const config = { ...environment.config, services: [service.name] };
  try {
    const opened = await openPlatforms({ ...environment, config, closers, definitions: [service] });
    return await work(opened.platforms.get(service.name) as Platform);
  } finally {
    await closers.close();
  }
}
