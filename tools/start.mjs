/** `npm start`: sets this clone up, then runs the script that the build made of the program. */
import { runBundled } from './bundled.mjs';
import { failWith, requireNode, root, setUp } from './set-up.mjs';

try {
  await setUp({ development: false });
  requireNode(process.versions.node, [24, 7], 'Start it with npm start, or install Node 24.7.');
  runBundled(root);
} catch (error) {
  failWith(error);
}
