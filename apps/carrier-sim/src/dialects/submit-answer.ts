import type { FastifyReply } from 'fastify';
import type { Code, Submit } from '../outcomes/outcome.js';

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** How a dialect expresses each answer to a submit. */
export interface Voice {
  /** Accepts the message and says so. */
  accept(): Answer;
  refuse(code: Code | undefined): Answer;
  /** An HTTP error before the carrier looked at the message. */
  fault(status: number, code: Code | undefined): Answer;
}

/** Milliseconds. A hanging exchange ends when the client disconnects, or after this. */
const HANG_MAX_MS = 600_000;

const RUBBISH: Answer = {
  status: 200,
  contentType: 'application/json',
  body: '{"<html><!-- upstream said: \u0000\u0007 not json',
};

/** Decides about the message and stores it now. Only the answer waits for `delayMs`. */
export function answerSubmit(reply: FastifyReply, submit: Submit, voice: Voice): void {
  const act = actOf(reply, submit, voice);
  if (submit.delayMs) setTimeout(act, submit.delayMs).unref();
  else act();
}

function actOf(reply: FastifyReply, submit: Submit, voice: Voice): () => void {
  const say = (answer: Answer) => () => send(reply, answer, submit.retryAfterSeconds);
  switch (submit.kind) {
    case 'accept':
      return say(voice.accept());
    case 'refuse':
      return say(voice.refuse(submit.code));
    case 'http_status':
      return say(voice.fault(submit.status ?? 503, submit.code));
    case 'throttle':
      return () => send(reply, voice.fault(429, submit.code), submit.retryAfterSeconds ?? 1);
    case 'garbage':
      return say(RUBBISH);
    case 'hang':
      return () => {
        reply.hijack();
        reply.raw.socket?.setTimeout(HANG_MAX_MS, () => reply.raw.socket?.destroy());
      };
    case 'reset':
      return () => {
        reply.hijack();
        reply.raw.socket?.resetAndDestroy();
      };
    case 'accept_then_lose_answer':
      voice.accept();
      return () => {
        reply.hijack();
        reply.raw.socket?.destroy();
      };
  }
}

export function send(reply: FastifyReply, answer: Answer, retryAfterSeconds?: number): void {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  reply.code(answer.status).header('content-type', answer.contentType).send(answer.body);
}

/** Returns percent-encoded pairs, for callbacks. */
export function formBody(fields: Record<string, string>): string {
  let body = '';
  for (const name in fields) {
    body += `${body === '' ? '' : '&'}${name}=${encodeURIComponent(fields[name]!)}`;
  }
  return body;
}
