import { runService } from '@watchword/host';
import { billingService } from './index.js';

await runService(billingService);
