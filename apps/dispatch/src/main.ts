import { runService } from '@watchword/host';
import { dispatchService } from './index.js';

await runService(dispatchService);
