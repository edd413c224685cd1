import { type Static, Type } from '@sinclair/typebox';
import type { MessageId } from '../ids.js';
import { idOf, nullable, words } from '../shapes.js';

/**
 * A carrier's delivery report, verified and normalised by the gateway. Topic
 * `svc.delivery-reports.v1`, key = message id where the callback carried one, else the provider's
 * id.
 */
export const DeliveryReport = Type.Object({
  report_id: Type.String(),
  provider: Type.String(),
  /** Our message id, where the carrier sent it back in the callback's URL. Otherwise null. */
  message_id: nullable(idOf<MessageId>()),
  provider_message_id: nullable(Type.String()),
  /** Number of the attempt, where the carrier sent our reference back. Otherwise null or absent. */
  attempt: Type.Optional(nullable(Type.Integer())),
  /**
   * Number of the handset. Present only where the carrier knows the message by its own id alone.
   */
  destination: Type.Optional(nullable(Type.String())),
  /**
   * The part that the report is about: its id, and the number of parts where the carrier says it.
   * Absent where one report covers the message.
   */
  part: Type.Optional(
    nullable(Type.Object({ id: Type.String(), count: nullable(Type.Integer()) })),
  ),
  state: words('enroute', 'delivered', 'failed'),
  reason: nullable(Type.String()),
  raw_code: nullable(Type.String()),
  raw_message: nullable(Type.String()),
  /** Network token that the carrier named. Otherwise null. */
  network: nullable(Type.String()),
  received_at: Type.String(),
});
export type DeliveryReport = Static<typeof DeliveryReport>;
