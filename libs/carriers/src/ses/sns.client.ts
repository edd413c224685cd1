import { request } from 'undici';

const TIMEOUT_MS = 5_000;
const BYTES_MAX = 64 * 1_024;
const CERTIFICATES_MAX = 16;

/** Fetches URLs of SNS messages. The caller has checked the host; redirects are not followed. */
export class SnsClient {
  /** By URL. SNS changes its certificate once a year. */
  private readonly certificates = new Map<string, Promise<string | null>>();

  certificate(url: string): Promise<string | null> {
    const known = this.certificates.get(url);
    if (known) return known;
    const fetching = fetchText(url);
    if (this.certificates.size >= CERTIFICATES_MAX) {
      this.certificates.delete(this.certificates.keys().next().value!);
    }
    this.certificates.set(url, fetching);
    void fetching.then((text) => text === null && this.certificates.delete(url));
    return fetching;
  }

  /** Returns whether SNS has confirmed the subscription. */
  async confirm(url: string): Promise<boolean> {
    return (await fetchText(url)) !== null;
  }
}

/** Returns null unless the answer is a short 200. */
async function fetchText(url: string): Promise<string | null> {
  try {
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BYTES_MAX) return null;
      chunks.push(chunk);
    }
    return statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : null;
  } catch {
    return null;
  }
}
