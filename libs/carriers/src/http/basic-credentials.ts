/** Returns the value of `Authorization` for HTTP Basic. */
export function basicCredentials(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
