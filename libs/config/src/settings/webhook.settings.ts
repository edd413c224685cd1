import { Flag } from '../kinds.js';
import { Setting } from '../setting.js';

export class WebhookSettings {
  @Setting(
    'ALLOW_LOOPBACK_WEBHOOKS',
    'Lets webhooks go to plain-HTTP receivers on this machine; for development only.',
    {
      readBy: ['gateway', 'webhooks'],
      fallbackText: 'true while HOST is a loopback address, else false',
    },
  )
  @Flag()
  readonly allowLoopbackWebhooks?: boolean;
}
