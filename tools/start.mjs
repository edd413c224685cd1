/** `npm start`: runs the script that the build made of the program. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { runBundled } from './bundled.mjs';

const root = join(import.meta.dirname, '..');
// For modules outside of the script, and for the carrier simulator.
enableCompileCache(join(root, 'node_modules/.cache/compiled'));
runBundled(root);
