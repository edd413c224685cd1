import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before anything is imported: from the second start on, nothing is compiled that has not changed.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compiled'));

const { runHost } = await import('@watchword/host');
const { boot } = await import('./boot.js');
const load = () => import('./services.js');

await runHost({ name: 'watchword', boot: (context) => boot({ ...context, load }) });
