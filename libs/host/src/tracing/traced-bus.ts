import type { Bus, IncomingMessage, OutgoingMessage, SubscriptionOptions } from '@watchword/bus';
import { isUuid, type Topic, TOPICS } from '@watchword/contracts';
import { traceparentOf, traceStep, traceSteps } from '@watchword/observability';

interface OfMessage {
  message_id?: unknown;
  message?: { id?: unknown };
  resend?: { otp_id?: unknown } | null;
}

/** Returns the id of the message, which is the id of the trace. */
function messageIdOf(payload: unknown): string | null {
  const { message_id: id, message, resend } = payload as OfMessage;
  const found = resend?.otp_id ?? id ?? message?.id;
  return typeof found === 'string' && isUuid(found) ? found : null;
}

/** Returns the step that published a message of this topic. */
function causeOf(topic: Topic): string {
  return topic.name === TOPICS.sendCommands.name ? traceSteps.accept : traceSteps.command;
}

/**
 * Returns a bus that records spans of handled messages, and adds the trace to published ones, so that
 * consumers outside can join it. Used only where traces are exported.
 */
export function tracedBus(bus: Bus): Bus {
  return {
    publish: (topic, messages) =>
      bus.publish(
        topic,
        messages.map((message) => withTraceparent(topic, message)),
      ),
    subscribe<Payload>(
      topic: Topic,
      options: SubscriptionOptions,
      handle: (batch: IncomingMessage<Payload>[]) => Promise<void>,
    ) {
      return bus.subscribe<Payload>(topic, options, async (batch) => {
        const startedAt = Date.now();
        let failed = true;
        try {
          await handle(batch);
          failed = false;
        } finally {
          for (const one of batch) traceHandled(topic, options.group, one, { startedAt, failed });
        }
      });
    },
    close: () => bus.close(),
  };
}

function withTraceparent(topic: Topic, message: OutgoingMessage): OutgoingMessage {
  const messageId = messageIdOf(JSON.parse(message.payload));
  if (messageId === null || message.traceparent !== undefined) return message;
  return { ...message, traceparent: traceparentOf(messageId, causeOf(topic)) };
}

function traceHandled(
  topic: Topic,
  group: string,
  { id, payload }: IncomingMessage<unknown>,
  { startedAt, failed }: { startedAt: number; failed: boolean },
): void {
  const messageId = messageIdOf(payload);
  // Dispatch matches a report to its message and adds it to the trace.
  if (messageId === null || topic.name === TOPICS.deliveryReports.name) return;
  const { resend } = payload as OfMessage;
  const isFirst = topic.name === TOPICS.sendCommands.name && !resend;
  traceStep(() => ({
    messageId,
    step: isFirst ? traceSteps.command : traceSteps.consume(group, id),
    under: causeOf(topic),
    name: `process ${topic.name}`,
    kind: 'consumer',
    startedAt,
    endedAt: Date.now(),
    failed,
    attributes: {
      'messaging.system': 'kafka',
      'messaging.destination.name': topic.name,
      'messaging.consumer.group.name': group,
    },
  }));
}
