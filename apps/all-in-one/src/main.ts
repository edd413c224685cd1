import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before every import: from the second start on, unchanged code is not compiled again.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compiled'));

const { runHost } = await import('@watchword/host');
const { boot } = await import('./boot.js');
const load = () => import('./services.js');

await runHost({ name: 'watchword', boot: (context) => boot({ ...context, load }) });
