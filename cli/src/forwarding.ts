/** Posts an event to a receiver as the product would: signed in all three forms, and again when it fails. */
import { createHmac } from 'node:crypto';
import type { EventOfVariantA, EventOfVariantB } from '../../sdks/typescript/src/index.js';
import type { Context } from './command.js';

export type AnyEvent = EventOfVariantA | EventOfVariantB;

export interface Target {
  url: string;
  secret: string;
}

export interface Attempt {
  status: number | undefined;
  latencyMs: number;
  error: string | undefined;
}

/** Milliseconds. The product tries for hours; at a desk, three tries show enough. */
const RETRIED_AFTER_MS = [1_000, 5_000];
const TIMEOUT_MS = 10_000;

export const nameOf = (event: AnyEvent) => ('type' in event ? event.type : event.event);

/** Returns whether the receiver took the event. Each try is shown. */
export async function forward(context: Context, event: AnyEvent, target: Target): Promise<boolean> {
  for (const [index, waitMs] of [...RETRIED_AFTER_MS, undefined].entries()) {
    const attempt = await post(context, event, target);
    show(context, event, attempt, index + 1);
    if (attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300) return true;
    if (waitMs !== undefined) await context.terminal.sleep(waitMs, context.terminal.signal);
  }
  context.hint(
    `Gave up. Send it again: watchword events replay --forward-to ${target.url} --sequence ${event.sequence}`,
  );
  return false;
}

async function post(
  { terminal }: Context,
  event: AnyEvent,
  { url, secret }: Target,
): Promise<Attempt> {
  const body = JSON.stringify(event);
  const startedAt = terminal.now();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await terminal.fetch(url, {
      method: 'POST',
      body,
      headers: signedHeaders(event, body, secret, Math.floor(startedAt / 1_000)),
      redirect: 'manual',
      signal: AbortSignal.any([timeout, terminal.signal]),
    });
    // The connection is free again once the answer was read.
    await answer.arrayBuffer();
    return { status: answer.status, latencyMs: terminal.now() - startedAt, error: undefined };
  } catch (error) {
    terminal.signal.throwIfAborted();
    return { status: undefined, latencyMs: terminal.now() - startedAt, error: reasonOf(error) };
  }
}

export function signedHeaders(
  event: AnyEvent,
  body: string,
  secret: string,
  atSeconds: number,
): Record<string, string> {
  const id = 'id' in event ? event.id : `evt_${String(event.sequence).padStart(32, '0')}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const sign = (from: string | Buffer, content: string) =>
    createHmac('sha256', from).update(content);
  return {
    'content-type': 'application/json',
    'x-svc-signature': sign(secret, body).digest('hex'),
    'svc-signature': `t=${atSeconds},v1=${sign(secret, `${atSeconds}.${body}`).digest('hex')}`,
    'svc-event': nameOf(event),
    'webhook-id': id,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': `v1,${sign(key, `${id}.${atSeconds}.${body}`).digest('base64')}`,
  };
}

function show(context: Context, event: AnyEvent, attempt: Attempt, number: number): void {
  const { status, latencyMs, error } = attempt;
  const isTaken = status !== undefined && status >= 200 && status < 300;
  const result = { event: nameOf(event), sequence: event.sequence, attempt: number, ...attempt };
  const answer = status === undefined ? `no answer: ${error}` : String(status);
  context.print(result, () => [
    `${clock(context.terminal.now())}  ${nameOf(event).padEnd(24)} #${event.sequence}  ${context.paint(isTaken ? 'green' : 'red', answer)}  ${latencyMs} ms${number > 1 ? `  try ${number}` : ''}`,
  ]);
}

export const clock = (milliseconds: number) => new Date(milliseconds).toISOString().slice(11, 19);

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}
