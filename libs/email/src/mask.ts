import { parseMailbox } from './address.js';

const BULLETS = '•••••';
/** A shorter name is hidden as a whole. */
const NAME_SHOWN_FROM = 3;

/** `Ada <ada@example.com>` becomes `a•••••@example.com`. */
export function maskAddress(mailbox: string): string {
  const parsed = parseMailbox(mailbox);
  if (!parsed.ok) return BULLETS;
  const { address } = parsed.mailbox;
  const at = address.lastIndexOf('@');
  const shown = at < NAME_SHOWN_FROM ? '' : address.slice(0, 1);
  return `${shown}${BULLETS}${address.slice(at)}`;
}
