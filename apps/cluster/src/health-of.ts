import { get } from 'node:http';

const TIMEOUT_MS = 5_000;

/** A leaving process answers open requests and gets no new ones. */
export type Health = 'well' | 'leaving' | 'silent';

/** Returns what `/health` answers within five seconds. */
export function healthOf(url: string): Promise<Health> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: TIMEOUT_MS }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', () => resolve('silent'));
      response.on('end', () => {
        if (response.statusCode !== 200) return resolve('silent');
        resolve(text.includes('"leaving"') ? 'leaving' : 'well');
      });
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve('silent'));
  });
}
