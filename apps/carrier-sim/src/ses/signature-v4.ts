import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface AwsAccount {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/ses\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const CLOCK_SKEW_MS = 300_000;

/**
 * Returns the exception that AWS would answer, or null where the signature is right (Signature
 * Version 4).
 */
export function signatureProblem(request: SignedRequest, account: AwsAccount): string | null {
  const authorization = String(request.headers.authorization ?? '');
  const found = AUTHORIZATION.exec(authorization);
  if (!found) return 'MissingAuthenticationTokenException';
  const [, keyId, date = '', region = '', signedHeaders = '', signature = ''] = found;
  if (keyId !== account.accessKeyId) return 'UnrecognizedClientException';
  const at = String(request.headers['x-amz-date'] ?? '');
  if (!at.startsWith(date) || Math.abs(Date.now() - timeOf(at)) > CLOCK_SKEW_MS) {
    return 'InvalidSignatureException';
  }
  const names = signedHeaders.split(';');
  if (!names.includes('host') || !names.includes('x-amz-date') || region !== account.region) {
    return 'InvalidSignatureException';
  }
  const canonical = [
    request.method,
    request.path,
    '',
    ...names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    hash(request.body),
  ].join('\n');
  const scope = `${date}/${region}/ses/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', at, scope, hash(canonical)].join('\n');
  const steps = [date, region, 'ses', 'aws4_request'];
  const first = Buffer.from(`AWS4${account.secretAccessKey}`);
  const key = steps.reduce((secret, step) => hmac(secret, step), first);
  const isRight = timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
  return isRight ? null : 'InvalidSignatureException';
}

function timeOf(amzDate: string): number {
  const digits = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate);
  if (!digits) return Number.NaN;
  const [, year, month, day, hour, minute, second] = digits.map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
