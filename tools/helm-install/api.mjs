/** The install test's requests to the API server, as an administrator. */
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const REQUEST_MS_MAX = 10_000;
const TRIES_MAX = 20;

/** Made and renewed by the server itself, not by a release. */
const OWN = new Set(['Event', 'Lease', 'PodMetrics', 'NodeMetrics']);

export class Api {
  #agent;

  constructor({ port, token, certificate }) {
    this.port = port;
    this.token = token;
    this.#agent = new Agent({ ca: certificate, keepAlive: true });
  }

  /** The status and the parsed body. */
  call(method, path, body) {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': type };
    const options = { agent: this.#agent, host: '127.0.0.1', port: this.port, method, path };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, headers, timeout: REQUEST_MS_MAX }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const said = Buffer.concat(chunks).toString('utf8');
          const isJson = response.headers['content-type']?.includes('json');
          resolve({ status: response.statusCode, body: isJson ? JSON.parse(said) : said });
        });
      });
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer`)));
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async #succeed(method, path, body) {
    let answer = await this.call(method, path, body);
    // A server answers this while it opens the store of a kind that was just defined.
    for (let tries = 1; answer.status === 429 && tries < TRIES_MAX; tries += 1) {
      await sleep(500);
      answer = await this.call(method, path, body);
    }
    if (answer.status < 300) return answer.body;
    throw new Error(
      `${method} ${path}: ${answer.status} ${answer.body.message ?? JSON.stringify(answer.body)}`,
    );
  }

  get(path) {
    return this.#succeed('GET', path);
  }

  list(path) {
    return this.get(path).then(({ items }) => items);
  }

  create(path, object) {
    return this.#succeed('POST', path, object);
  }

  patch(path, change) {
    return this.#succeed('PATCH', path, change);
  }

  remove(path) {
    return this.#succeed('DELETE', path);
  }

  /** The kinds that can be listed, each in the version that the server prefers. */
  async #kinds() {
    const { groups } = await this.get('/apis');
    const roots = ['/api/v1', ...groups.map((one) => `/apis/${one.preferredVersion.groupVersion}`)];
    const kinds = [];
    for (const root of roots) {
      const { resources } = await this.get(root);
      for (const { name, kind, namespaced, verbs } of resources) {
        const isListed = verbs.includes('list') && !name.includes('/') && !OWN.has(kind);
        if (isListed) kinds.push({ path: `${root}/%/${name}`, kind, namespaced });
      }
    }
    return kinds;
  }

  /** Returns all objects of a namespace, and labelled ones outside it, as `Kind/name`. */
  async inventory(namespace, label) {
    const found = [];
    for (const { path, kind, namespaced } of await this.#kinds()) {
      const url = namespaced
        ? path.replace('%', `namespaces/${namespace}`)
        : `${path.replace('%/', '')}?labelSelector=${encodeURIComponent(label)}`;
      for (const { metadata } of await this.list(url)) found.push(`${kind}/${metadata.name}`);
    }
    return found.toSorted();
  }
}

/** Asks again until an answer is given. */
export async function until(what, secondsMax, ask) {
  const end = performance.now() + secondsMax * 1_000;
  let last;
  while (performance.now() < end) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await sleep(200);
  }
  throw new Error(`${what}: not within ${secondsMax} s. ${last?.message ?? ''}`.trim());
}
