/** Sets this clone up. `--runtime`: only what the program needs, without the packages of tests and checks. */
import { failWith, nodeOf, setUp } from './set-up.mjs';

try {
  await setUp({ development: !process.argv.includes('--runtime') });
  nodeOf();
} catch (error) {
  failWith(error);
}
