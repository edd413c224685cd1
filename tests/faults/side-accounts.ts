import type { HttpClient } from '../support/http.ts';

/** So that each user comes from a different address: sign-ups and resets are counted by address. */
export const BEHIND_A_PROXY = { TRUSTED_PROXIES: '1' };

/** Sign-ups, which send a confirmation, and password resets. */
export class SideAccounts {
  private readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** Does the next step. A failure is not retried. */
  async next(ordinal: number): Promise<void> {
    const email = `side-user-${ordinal}@example.org`;
    const headers = {
      'x-forwarded-for': `10.${ordinal >> 16}.${(ordinal >> 8) & 255}.${ordinal & 255}`,
    };
    const ask = (path: string, body: object) =>
      this.http.post(path, body, { headers }).catch(() => undefined);
    await ask('/auth/signup', { email, password: 'staple battery horse' });
    await ask('/auth/password/forgot', { email });
  }
}
