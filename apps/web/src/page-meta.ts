import { context } from './api/client';

const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`);

/** Allows the styles that components insert. */
export const nonce = meta('nonce')?.content ?? '';
/** Address of the simulator's handset, where there is one. */
export const handset = meta('handset')?.content ?? '';
/** Whether the request of this page had no session cookie. Then there is no session to read. */
export const hadNoSession = meta('session')?.content === 'none';

/** Returns the simulator's page of a receiver, or of all. It leads back to these pages. */
export function simulatorPage(kind: 'handset' | 'mailbox', to?: string): string {
  const given = new URLSearchParams({
    app: location.origin,
    lang: context.language,
    ...(to && { to }),
  });
  return `${handset}${kind === 'mailbox' ? 'emails' : ''}#${given}`;
}
