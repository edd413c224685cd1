import type { Config } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { DndRegistry } from './dnd-registry.port.js';
import { HttpDndRegistry } from './http-dnd-registry.adapter.js';

/** The registry that the settings name, or null without one. */
export function configuredDndRegistry(
  { dndLookupUrl: url, dndLookupToken: token }: Config,
  clock: Clock,
  logger: Logger,
): DndRegistry | null {
  return url === '' ? null : new HttpDndRegistry({ url, token, clock, logger });
}
