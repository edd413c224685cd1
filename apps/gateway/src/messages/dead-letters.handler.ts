import { Inject, Injectable } from '@nestjs/common';
import type { DeadLetterOffice } from '@watchword/bus';
import {
  ALL_TOPICS,
  ApiError,
  type DiscardDeadLettersBody,
  inputMessage,
  type Outcome,
  type ReplayDeadLettersBody,
  type Topic,
} from '@watchword/contracts';
import { DEAD_LETTERS } from '@watchword/platform';
import { canBeDiscarded, canBeReplayed, causesOf } from './dead-letters.policy.js';

/** Letters read per topic. If there are more, the oldest still show what is wrong. */
const LETTERS_MAX = 1_000;

/** Dead letters of the consumers: listed, replayed once the cause is fixed, or discarded. */
@Injectable()
export class DeadLettersHandler {
  constructor(@Inject(DEAD_LETTERS) private readonly office: DeadLetterOffice) {}

  async list(): Promise<Outcome> {
    const found = await Promise.all(
      ALL_TOPICS.map(async (topic) => ({
        topic,
        letters: await this.office.listDeadLetters(topic, null, LETTERS_MAX),
      })),
    );
    return {
      body: {
        data: found.flatMap(({ topic, letters }) => causesOf(topic, letters)),
        has_more: found.some(({ letters }) => letters.length >= LETTERS_MAX),
      },
    };
  }

  async replay({ topic: name, group }: ReplayDeadLettersBody): Promise<Outcome> {
    const topic = topicOf(name);
    if (!canBeReplayed(topic, group)) throw unknown('group');
    const replayed = await this.office.replayDeadLetters(topic, group);
    const effect = { topic: name, group, replayed };
    return { body: effect, effect };
  }

  async discard({ topic: name, group, reason }: DiscardDeadLettersBody): Promise<Outcome> {
    const topic = topicOf(name);
    if (!canBeDiscarded(topic, group)) throw unknown('group');
    const discarded = await this.office.discardDeadLetters(topic, group);
    const body = { topic: name, group, discarded };
    return { body, effect: { ...body, reason } };
  }
}

function topicOf(name: string): Topic {
  const topic = ALL_TOPICS.find((one) => one.name === name);
  if (!topic) throw unknown('topic');
  return topic;
}

function unknown(field: string): ApiError {
  return new ApiError('validation_error', { field, message: inputMessage(field, 'unknown') });
}
