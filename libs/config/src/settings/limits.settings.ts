import { Url, WholeNumber } from '../kinds.js';
import { Setting } from '../setting.js';

export class LimitsSettings {
  @Setting('REDIS_URL', 'Redis in which all gateways count requests against the limits.', {
    readBy: ['gateway'],
    secret: true,
    fallbackText: 'none: limits are counted in memory',
  })
  @Url('redis', 'rediss')
  readonly redisUrl: string = '';

  @Setting(
    'SENDS_WAIT_MS',
    'How long a send may wait for its acceptance. While each waits longer, for half a second, a gateway is overloaded and refuses sends with 503.',
    { readBy: ['gateway'] },
  )
  @WholeNumber(10, 60_000)
  readonly sendsWaitMs: number = 250;

  @Setting(
    'SENDS_UNDER_WAY_MIN',
    'How many sends a gateway always takes at a time, overloaded or not; a batch is one send.',
    { readBy: ['gateway'] },
  )
  @WholeNumber(1, 100_000)
  readonly sendsUnderWayMin: number = 256;
}
