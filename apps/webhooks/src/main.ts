import { runService } from '@watchword/host';
import { webhooksService } from './index.js';

await runService(webhooksService);
