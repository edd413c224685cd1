import { runHost } from '@watchword/host';
import { boot } from './boot.js';

const load = () => import('./services.js');

void runHost({ name: 'watchword', boot: (context) => boot({ ...context, load }) });
