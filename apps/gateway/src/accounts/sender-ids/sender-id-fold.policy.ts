/** Folds a sender ID: `G.T Bank`, `gt-bank` and `GTBank` look the same to a reader. */
export function foldSenderId(senderId: string): string {
  return senderId.toLowerCase().replaceAll(/[\s.&_-]/g, '');
}
