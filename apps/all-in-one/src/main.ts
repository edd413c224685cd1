import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before every import: from the second start on, unchanged code is not compiled again.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compiled'));

await import('./program.js');
