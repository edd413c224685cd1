import { type Static, Type } from '@sinclair/typebox';

/**
 * A carrier's delivery report, verified and normalised by the gateway. Topic
 * `svc.delivery-reports.v1`, key = message id where the callback carried one, else the provider's
 * id.
 */
export const DeliveryReport = Type.Object({
  report_id: Type.String(),
  provider: Type.String(),
  /** Our message id, where the carrier sent it back in the callback's URL. Otherwise null. */
  message_id: Type.Union([Type.String(), Type.Null()]),
  provider_message_id: Type.Union([Type.String(), Type.Null()]),
  /** Number of the attempt, where the carrier sent our reference back. Otherwise null or absent. */
  attempt: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  /**
   * Number of the handset. Present only where the carrier knows the message by its own id alone.
   */
  destination: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  state: Type.Union([Type.Literal('enroute'), Type.Literal('delivered'), Type.Literal('failed')]),
  reason: Type.Union([Type.String(), Type.Null()]),
  raw_code: Type.Union([Type.String(), Type.Null()]),
  raw_message: Type.Union([Type.String(), Type.Null()]),
  /** Network token that the carrier named. Otherwise null. */
  network: Type.Union([Type.String(), Type.Null()]),
  received_at: Type.String(),
});
export type DeliveryReport = Static<typeof DeliveryReport>;
