import { runService } from '@watchword/host';
import { gatewayService } from './index.js';

await runService(gatewayService);
