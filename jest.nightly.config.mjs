/** Files of `npm run test:nightly`, one at a time: each has servers of its own. The caller names their folders. */
import { common, run } from './jest.config.mjs';

export default { ...common, ...run, roots: ['<rootDir>/tests'], maxWorkers: 1 };
