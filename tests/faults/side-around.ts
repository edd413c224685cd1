import type { HttpClient } from '../support/http.ts';
import type { Operator } from '../support/operator.ts';

/** Limits of a workspace of the side load. */
export const UNLIMITED = {
  key_per_minute: null,
  workspace_per_minute: null,
  variant_b_per_second: null,
  variant_b_burst: null,
};

/** What a part of the side load works on. */
export interface Around {
  http: HttpClient;
  operator: Operator;
  /** Another one after each start. */
  simulator: () => HttpClient;
}

let isErasing = false;

/**
 * Erases what is stored of a recipient, waiting messages included. One at a time, because each looks through all
 * events: others are left out, and what fails is not tried again.
 */
export async function erase({ operator }: Around, to: string): Promise<void> {
  if (isErasing) return;
  isErasing = true;
  await operator
    .request('POST', '/erasures', { to, reason: 'Asked by the recipient.' })
    .catch(() => undefined);
  isErasing = false;
}
