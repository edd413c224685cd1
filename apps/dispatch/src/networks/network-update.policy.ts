import type { DeliveryReport } from '@watchword/contracts';
import { networkByToken, networkOfNumber } from '@watchword/telephony';

/** Milliseconds after which a report of the same network renews a kept one. */
const RENEWED_AFTER_MS = 86_400_000;

/** The network of a ported number. */
export interface StoredNetwork {
  readonly network: string;
  readonly learnedAt: Date;
}

/** What a report says about a number: its network, or null where the prefix's guess holds again. */
export interface NetworkUpdate {
  readonly destination: string;
  readonly network: string | null;
  readonly at: Date;
}

/** What counts of a message. */
export interface Addressed {
  readonly testMode: boolean;
  readonly destination: string;
  readonly countryCode: string;
  /** The network that it was priced by. */
  readonly network: string | null;
}

/**
 * Returns what a report of the message teaches. Null for almost every one: the network is the
 * prefix's, or is known already. A network other than the prefix's on the message shows that one
 * was kept, also where this process does not know it.
 */
export function networkUpdateOf(
  message: Addressed,
  report: DeliveryReport,
  kept: StoredNetwork | undefined,
): NetworkUpdate | null {
  const network = provenBy(report, message);
  if (network === null) return null;
  const { destination } = message;
  const guess = networkOfNumber(destination)?.token ?? null;
  const agrees = network === guess;
  if (agrees && kept === undefined && message.network === guess) return null;
  const at = new Date(report.received_at);
  if (agrees) return { destination, network: null, at };
  const isKnown =
    kept?.network === network && at.getTime() - kept.learnedAt.getTime() < RENEWED_AFTER_MS;
  return isKnown ? null : { destination, network, at };
}

/**
 * Returns the network that the report names. Only a delivery proves one: a refusal can name the
 * network that does not know the number. It must be a network of the number's own country.
 */
function provenBy(report: DeliveryReport, message: Addressed): string | null {
  const { state, network: token, destination = null } = report;
  if (message.testMode || state !== 'delivered' || token === null) return null;
  if (destination !== null && destination !== message.destination) return null;
  return networkByToken(token)?.countryCode === message.countryCode ? token : null;
}
