import { gauge } from '@watchword/observability';

export const noteWaiting = gauge(
  'watchword_bus_waiting',
  'Messages a consumer group has not handled yet.',
  ['topic', 'group'],
);

export const noteOldestWaiting = gauge(
  'watchword_bus_oldest_waiting_seconds',
  'How long ago the oldest of those messages happened.',
  ['topic', 'group'],
);
