import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export interface Certificate {
  readonly pem: string;
  readonly privateKey: KeyObject;
}

const [INTEGER, BIT_STRING, NULL, OID, UTF8, UTC_TIME, SEQUENCE, SET] = [
  0x02, 0x03, 0x05, 0x06, 0x0c, 0x17, 0x30, 0x31,
];
const SHA256_WITH_RSA = Buffer.from('2a864886f70d01010b', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
const DAY_MS = 86_400_000;

/** Creates a self-signed X.509 certificate (RFC 5280), for which Node has no function. */
export function newCertificate(name: string): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const algorithm = der(SEQUENCE, der(OID, SHA256_WITH_RSA), der(NULL));
  const subject = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OID, COMMON_NAME), der(UTF8, Buffer.from(name)))),
  );
  const [from, to] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + 365 * DAY_MS)];
  const signed = der(
    SEQUENCE,
    der(INTEGER, Buffer.from([1, ...randomBytes(8)])),
    algorithm,
    subject,
    der(SEQUENCE, time(from), time(to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('RSA-SHA256').update(signed).sign(privateKey);
  const bits = der(BIT_STRING, Buffer.concat([Buffer.from([0]), signature]));
  const base64 = der(SEQUENCE, signed, algorithm, bits).toString('base64');
  const lines = base64.match(/.{1,64}/g)!.join('\n');
  const pem = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  return { pem, privateKey };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** `YYMMDDhhmmssZ`. */
function time(at: Date): Buffer {
  const digits = at
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '')
    .slice(2);
  return der(UTC_TIME, Buffer.from(digits));
}
