import type { Around } from './side-around.ts';

/**
 * Each user comes from a different address, because sign-ups and resets are counted by address. Trial
 * credits wait for the confirmation.
 */
export const ACCOUNT_SETTINGS = { TRUSTED_PROXIES: '1', TRIAL_CREDITS: 'after_confirmation' };

/** Sign-ups, which send a confirmation and are confirmed by an operator, and password resets. */
export class SideAccounts {
  private readonly around: Around;

  constructor(around: Around) {
    this.around = around;
  }

  /** Does the next step. A failure is not retried. */
  async next(ordinal: number): Promise<void> {
    const email = `side-user-${ordinal}@example.org`;
    const headers = {
      'x-forwarded-for': `10.${ordinal >> 16}.${(ordinal >> 8) & 255}.${ordinal & 255}`,
    };
    const ask = (path: string, body: object) =>
      this.around.http.post(path, body, { headers }).catch(() => undefined);
    const signedUp = await ask('/auth/signup', { email, password: 'staple battery horse' });
    const id = signedUp?.json?.workspace?.workspace_id as string | undefined;
    const { operator } = this.around;
    if (id) await operator.request('POST', `/workspaces/${id}/confirm`).catch(() => undefined);
    await ask('/auth/password/forgot', { email });
  }
}
