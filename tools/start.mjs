/**
 * `npm start`: sets this clone up, then runs the script that the build made of the program. The pages at `/app`
 * are built once the program accepts messages.
 */
import { runBundled } from './bundled.mjs';
import { buildWebInBackground } from './build-web.mjs';
import { failWith, requireNode, root, setUp } from './set-up.mjs';

try {
  await setUp({ development: false });
  requireNode(process.versions.node, [24, 7], 'Start it with npm start, or install Node 24.7.');
  await runBundled(root);
  await buildWebInBackground(root);
} catch (error) {
  failWith(error);
}
