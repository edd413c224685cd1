import type { Config } from '@watchword/config';
import { parseMailbox } from '@watchword/email';

const NAME_DEFAULT = 'Watchword';

/** Returns the name by which people know the platform: that of the sender of its emails, where it has one. */
export function platformNameOf({ platformEmailFrom }: Pick<Config, 'platformEmailFrom'>): string {
  const parsed = parseMailbox(platformEmailFrom);
  return (parsed.ok ? parsed.mailbox.name : null) ?? NAME_DEFAULT;
}
