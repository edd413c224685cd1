import { readdirSync, readFileSync } from 'node:fs';
import { ALL_TOPICS, type Topic } from './topics.js';

/**
 * Messages of every version that was ever published, as they are in Kafka. Files never change;
 * `published.sha256` holds their hashes.
 */
export interface GoldenMessage {
  /** Name of its file without `.json`, for example `send-message.v1.otp`. */
  name: string;
  topic: Topic;
  type: string;
  key: string;
  headers: Record<string, string>;
  payload: unknown;
}

const directory = new URL('../fixtures/', import.meta.url);

/** Reads all fixtures, for tests and documents. Throws when no topic has a fixture's type. */
export function goldenMessages(): GoldenMessage[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => {
      const name = file.slice(0, -'.json'.length);
      const type = `svc.${name.split('.').slice(0, 2).join('.')}`;
      const topic = ALL_TOPICS.find(({ messages }) => type in messages);
      if (!topic) throw new Error(`${file} is of no topic`);
      const text = readFileSync(new URL(file, directory), 'utf8');
      const { key, headers, payload } = JSON.parse(text) as GoldenMessage;
      return { name, topic, type, key, headers, payload };
    });
}
