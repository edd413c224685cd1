/** `npm start`: runs the bundle of this build or, where there is none, the modules that it is made of. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { runBundled } from './bundled.mjs';

const root = join(import.meta.dirname, '..');
// For what stands outside of the bundle, and for the carrier simulator.
enableCompileCache(join(root, 'node_modules/.cache/compiled'));
if (!runBundled(root)) await import('../apps/all-in-one/dist/main.js');
