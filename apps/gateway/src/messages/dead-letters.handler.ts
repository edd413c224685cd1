import type { DeadLetterOffice } from '@watchword/bus';
import {
  ALL_TOPICS,
  ApiError,
  inputMessage,
  type ReplayDeadLettersBody,
} from '@watchword/contracts';
import type { Outcome } from '../accounts/audit/outcome.js';
import { canBeReplayed, causesOf } from './dead-letters.policy.js';

/** Of each topic; when there are more, the oldest tell what is wrong as well. */
const lettersMax = 1_000;

/** What the consumers gave up on, and a second chance for it when its cause is mended. */
export class DeadLettersHandler {
  constructor(private readonly office: DeadLetterOffice) {}

  async list(): Promise<Outcome> {
    const found = await Promise.all(
      ALL_TOPICS.map(async (topic) => ({
        topic,
        letters: await this.office.listDeadLetters(topic, null, lettersMax),
      })),
    );
    return {
      body: {
        data: found.flatMap(({ topic, letters }) => causesOf(topic, letters)),
        has_more: found.some(({ letters }) => letters.length >= lettersMax),
      },
    };
  }

  async replay({ topic: name, group }: ReplayDeadLettersBody): Promise<Outcome> {
    const topic = ALL_TOPICS.find((one) => one.name === name);
    if (!topic) throw unknown('topic');
    if (!canBeReplayed(topic, group)) throw unknown('group');
    const replayed = await this.office.replayDeadLetters(topic, group);
    const effect = { topic: name, group, replayed };
    return { body: effect, effect };
  }
}

function unknown(field: string): ApiError {
  return new ApiError('validation_error', { field, message: inputMessage(field, 'unknown') });
}
