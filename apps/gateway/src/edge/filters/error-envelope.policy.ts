import type { Config } from '@watchword/config';
import { ApiError, ERROR_MESSAGES, type ErrorText, type Language } from '@watchword/contracts';
import { isUnavailable } from '@watchword/platform';

/** Everything that the transport needs to send an error. Only here do errors become answers. */
export interface ErrorAnswer {
  status: number;
  type: string;
  headers: Record<string, string>;
  body: string;
  /** Whether it is an internal error. The code that answers logs its cause. */
  unexpected: boolean;
}

/** The path exists, but not with this method. `Allow` names its methods. */
export class MethodNotAllowed extends ApiError {
  constructor(readonly allow: readonly string[]) {
    super('validation_error', { status: 405, message: ERROR_MESSAGES.methodNotAllowed(allow) });
  }
}

/** The body has a type that the route does not take. */
export function unsupportedType(types?: readonly string[]): ApiError {
  const message = ERROR_MESSAGES.unsupportedType(types);
  return new ApiError('validation_error', { status: 415, message });
}

/** The sizes that a body may have are those of its text, so it is not unpacked here. */
export function compressedBody(): ApiError {
  return new ApiError('validation_error', { status: 415, message: ERROR_MESSAGES.compressedBody });
}

export interface Asked {
  language?: Language;
  /** Types of the body that the route takes, unless that is JSON. */
  bodyTypes?: readonly string[] | undefined;
  /** Where people reach this installation; without it `doc_url` is a path. */
  publicAddress?: string | undefined;
}

/** Returns the address of this installation that a setting names, or an empty text. */
export function publicAddressOf(config: Pick<Config, 'publicBaseUrl' | 'callbackBaseUrl'>): string {
  return (config.publicBaseUrl || config.callbackBaseUrl).replace(/\/+$/, '');
}

export function answerFor(
  error: unknown,
  requestId: string,
  { language = 'en', bodyTypes, publicAddress = '' }: Asked = {},
): ErrorAnswer {
  const known = asApiError(error, bodyTypes);
  const headers: Record<string, string> = {};
  const retryAfterSeconds = known.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  if (known instanceof MethodNotAllowed) headers['allow'] = known.allow.join(', ');
  if (known.status === 401) headers['www-authenticate'] = 'Bearer';
  const body = JSON.stringify({
    error: {
      type: known.type,
      message: known.text[language],
      field: known.field,
      request_id: requestId,
      doc_url: `${publicAddress}/docs/errors#${known.type}`,
      retry_after_seconds: hasRetryAfter(known) ? retryAfterSeconds : undefined,
    },
  });
  const unexpected = known.status >= 500 && !(error instanceof ApiError) && !isUnavailable(error);
  return { status: known.status, type: known.type, headers, body, unexpected };
}

/** Returns whether the same request succeeds later: it is over a limit, or its key is in flight. */
function hasRetryAfter({ status }: ApiError): boolean {
  return status === 429 || status === 409;
}

function asApiError(error: unknown, bodyTypes?: readonly string[]): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) {
    return new ApiError('internal_error', {
      status: 503,
      retryAfterSeconds: 1,
      message: ERROR_MESSAGES.busy,
    });
  }
  return fromTransport(error, bodyTypes) ?? new ApiError('internal_error');
}

/** Errors of Fastify and Node by their codes. Their own texts may name internals. */
const TRANSPORT: Record<string, { status: number; message: ErrorText }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: ERROR_MESSAGES.bodyTooLarge },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    message: ERROR_MESSAGES.bodyOfOtherLength,
  },
  HPE_HEADER_OVERFLOW: { status: 431, message: ERROR_MESSAGES.headersTooLarge },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: ERROR_MESSAGES.requestTooSlow },
};

function fromTransport(error: unknown, bodyTypes?: readonly string[]): ApiError | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, statusCode, status } = error as Record<string, unknown>;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedType(bodyTypes);
  const refusal = typeof code === 'string' ? TRANSPORT[code] : undefined;
  if (refusal) return new ApiError('validation_error', refusal);
  const given = statusCode ?? status;
  const isClientError = typeof given === 'number' && given >= 400 && given < 500;
  if (!isClientError && !(typeof code === 'string' && code.startsWith('HPE_'))) return undefined;
  return new ApiError('validation_error', {
    status: isClientError ? given : 400,
    message: ERROR_MESSAGES.malformed,
  });
}
