import { failWith, nodeOf, setUp } from './set-up.mjs';

try {
  await setUp();
  nodeOf();
} catch (error) {
  failWith(error);
}
