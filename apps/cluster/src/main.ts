import { runHost } from '@watchword/host';
import { boot } from './boot.js';

/** Eight processes and three servers stop one after the other. */
const TIMEOUT_MS = 20_000;

await runHost({
  name: 'cluster',
  // The settings of the services; this process has a database only to hand it on.
  settings: { DATABASE_URL: '' },
  stopMs: TIMEOUT_MS,
  boot,
});
