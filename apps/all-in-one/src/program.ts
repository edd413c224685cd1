import { runHost } from '@watchword/host';
import { boot } from './boot.js';

const load = () => import('./services.js');

/** Settles when everything has started, or after a signal to leave. */
export const started = runHost({
  name: 'watchword',
  boot: (context) => boot({ ...context, load }),
});
