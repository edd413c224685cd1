import { type Static, Type } from '@sinclair/typebox';

/**
 * A carrier's delivery report, verified by the gateway and put into our words.
 * Topic `svc.delivery-reports.v1`, key = message id where the callback carried one, else the provider's id.
 */
export const DeliveryReport = Type.Object({
  report_id: Type.String(),
  provider: Type.String(),
  /** Our message id from the callback URL, when the carrier sent it back. */
  message_id: Type.Union([Type.String(), Type.Null()]),
  provider_message_id: Type.Union([Type.String(), Type.Null()]),
  /** Number of the attempt, where the carrier brought our reference back. */
  attempt: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  /** The destination; only where the carrier names the message by its own id alone. */
  destination: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  state: Type.Union([Type.Literal('enroute'), Type.Literal('delivered'), Type.Literal('failed')]),
  reason: Type.Union([Type.String(), Type.Null()]),
  raw_code: Type.Union([Type.String(), Type.Null()]),
  raw_message: Type.Union([Type.String(), Type.Null()]),
  /** Network token that the carrier named, when it did. */
  network: Type.Union([Type.String(), Type.Null()]),
  received_at: Type.String(),
});
export type DeliveryReport = Static<typeof DeliveryReport>;
