/** Shared by the shows of `npm start`: printed calls, waits, and a receiver that verifies. */
import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const file = `${process.env.DATA_DIR ?? '.data'}/dev-credentials.json`;
export const credentials = JSON.parse(readFileSync(file, 'utf8'));
const SHOWN_MAX = 400;
const PATIENCE_MS = 30_000;

/** Calls one server and prints each request with its answer. */
export function asker(base) {
  return async (token, method, path, body, more = {}) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...more,
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(base + path, { method, headers, ...sent });
    const text = await response.text();
    console.log(`\n> ${method} ${path} ${body ? JSON.stringify(body).slice(0, SHOWN_MAX) : ''}`);
    console.log(`< ${response.status} ${text.slice(0, SHOWN_MAX)}`);
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };
}

/** The first truthy answer of `holds`. */
export async function until(what, holds) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(200)) {
    const found = await holds();
    if (!found) continue;
    console.log(`\n= ${what}`);
    return found;
  }
  throw new Error(`never came: ${what}`);
}

/** A receiver that verifies what it gets, and can be broken. */
export class Receiver {
  received = [];
  secret = '';
  isBroken = false;
  #server = createServer((request, response) => this.#take(request, response));

  open() {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/hooks`;
  }

  has(type, id) {
    return this.of(id).some((event) => event.type === type);
  }

  /** Events of one message. */
  of(id) {
    return this.received.filter(({ data }) => data.sms_id === id || data.email_id === id);
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request, response) {
    const body = Buffer.concat(await request.toArray());
    const [, time, given] = /^t=(\d+),v1=([0-9a-f]+)/.exec(request.headers['svc-signature']);
    const hmac = createHmac('sha256', this.secret).update(`${time}.`).update(body).digest('hex');
    assert.equal(given, hmac, 'a signature that is not ours');
    const event = JSON.parse(body);
    const verdict = this.isBroken ? 'refused' : 'verified';
    console.log(`  ~ ${verdict} ${event.type}, sequence ${event.sequence}`);
    if (!this.isBroken) this.received.push(event);
    response.writeHead(this.isBroken ? 500 : 200).end();
  }
}
