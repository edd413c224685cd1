import { causesOf } from '../consumer/causes.js';

/**
 * Says which setting, ours or the brokers', keeps us from Kafka until a person changes it. The
 * client keeps trying: a password is changed in two places, in any order.
 */
const UNKNOWN_USER =
  'Kafka does not take our user: look at KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD';
const UNTRUSTED =
  'the certificate of Kafka is not to be trusted: it must name the broker as KAFKA_BROKERS and the ' +
  'brokers themselves do, and NODE_EXTRA_CA_CERTS must name a file with the authority that signed it';

/** Error codes of OpenSSL, in Node's spelling. */
const CERTIFICATE_CODES = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Returns a sentence about the setting, or undefined where Kafka may only be unavailable. */
export function refusalIn(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    if (cause.name === 'KafkaJSSASLAuthenticationError') return UNKNOWN_USER;
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== undefined && CERTIFICATE_CODES.has(code)) return UNTRUSTED;
  }
  return undefined;
}
