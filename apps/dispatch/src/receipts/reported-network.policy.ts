import type { DeliveryReport } from '@watchword/contracts';
import { networkByToken, networkOfNumber } from '@watchword/telephony';
import type { Message, ReportedNetwork } from '../messages/message.js';

/** What counts of a message. */
export type Addressed = Pick<Message, 'testMode' | 'destination' | 'countryCode'>;

/**
 * Returns the network that the report names, where it is proof. Only a delivery proves one: a
 * refusal can name the network that does not know the number. It must be a network of the number's
 * own country.
 */
export function reportedNetwork(
  message: Addressed,
  report: DeliveryReport,
): ReportedNetwork | undefined {
  const { state, network: token, destination = null } = report;
  if (message.testMode || state !== 'delivered' || token === null) return undefined;
  if (destination !== null && destination !== message.destination) return undefined;
  if (networkByToken(token)?.countryCode !== message.countryCode) return undefined;
  const isOfPrefix = networkOfNumber(message.destination)?.token === token;
  return { portedTo: isOfPrefix ? null : token, at: new Date(report.received_at) };
}
