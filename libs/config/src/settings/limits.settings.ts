import { Url } from '../kinds.js';
import { Setting } from '../setting.js';

export class LimitsSettings {
  @Setting('REDIS_URL', 'Redis in which all gateways count requests against the limits.', {
    readBy: ['gateway'],
    secret: true,
    fallbackText: 'none: limits are counted in memory',
  })
  @Url('redis', 'rediss')
  readonly redisUrl: string = '';
}
