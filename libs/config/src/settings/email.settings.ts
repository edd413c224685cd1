import { Text, WholeNumber } from '../kinds.js';
import { Setting } from '../setting.js';

/** What comes back of emails. */
export class EmailSettings {
  @Setting(
    'INBOUND_SMTP_PORT',
    'Port of the SMTP listener that receives bounces and complaints; 0 turns it off.',
    { readBy: ['gateway'], fallbackText: '0, or any free port (embedded only)' },
  )
  @WholeNumber(0, 65_535)
  readonly inboundSmtpPort: number = 0;

  @Setting(
    'INBOUND_SMTP_HOST',
    'Address that listener listens on; 0.0.0.0 opens it to the network.',
    { readBy: ['gateway'] },
  )
  @Text()
  readonly inboundSmtpHost: string = '127.0.0.1';
}
