import { runHost } from '@watchword/host';
import { boot } from './boot.js';

const load = () => import('./services.js');

await runHost({ name: 'watchword', boot: (context) => boot({ ...context, load }) });
