/** `npm start`: runs the bundle of this build or, where there is none, the modules that it is made of. */
import { join } from 'node:path';
import { runBundled } from './bundled.mjs';

const root = join(import.meta.dirname, '..');
if (!runBundled(root)) await import('../apps/all-in-one/dist/main.js');
