import { OneOf, Text, WholeNumber } from '../kinds.js';
import { Setting } from '../setting.js';

export class HttpSettings {
  @Setting('PORT', 'TCP port of the public API; 0 takes any free one.', { readBy: ['gateway'] })
  @WholeNumber(0, 65_535)
  readonly port: number = 3000;

  @Setting('HOST', 'Address the public API listens on; 0.0.0.0 opens it to the network.', {
    readBy: ['gateway'],
  })
  @Text()
  readonly host: string = '127.0.0.1';

  @Setting(
    'TRUSTED_PROXIES',
    'How many reverse proxies of yours stand in front; X-Forwarded-For is believed that far.',
    { readBy: ['gateway'] },
  )
  @WholeNumber(0, 10)
  readonly trustedProxies: number = 0;

  @Setting(
    'PROXY_PROTOCOL',
    'Whether a PROXY protocol line (version 1) at the start of a connection names the client; only behind a balancer.',
    { readBy: ['gateway'] },
  )
  @OneOf(['off', 'accept'])
  readonly proxyProtocol: 'off' | 'accept' = 'off';
}
