import { describe, expect, it } from '@jest/globals';
import { ApiError, ERROR_CATALOGUE, type ErrorType } from '@watchword/contracts';
import { answerFor, publicAddressOf } from './error-envelope.policy.js';

const parsed = (error: unknown) => {
  const { body, ...rest } = answerFor(error, 'r');
  return { ...rest, error: JSON.parse(body).error };
};

describe('answerFor', () => {
  it('has the status of the catalogue for every type', () => {
    for (const [type, { status, en }] of Object.entries(ERROR_CATALOGUE)) {
      const answer = parsed(new ApiError(type as ErrorType));
      expect(answer).toMatchObject({ status, unexpected: false });
      const doc_url = `/docs/errors#${type}`;
      expect(answer.error).toEqual({ type, message: en, request_id: 'r', doc_url });
    }
  });

  it('leads to the documentation at the address that a setting names', () => {
    const config = { publicBaseUrl: '', callbackBaseUrl: 'https://send.example/' };
    const publicAddress = publicAddressOf(config);
    const { body } = answerFor(new ApiError('conflict'), 'r', { publicAddress });
    expect(JSON.parse(body).error.doc_url).toBe('https://send.example/docs/errors#conflict');
    expect(publicAddressOf({ ...config, publicBaseUrl: 'https://acme.example' })).toBe(
      'https://acme.example',
    );
  });

  it.each([
    [{ code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }, 413, 'validation_error'],
    [{ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }, 415, 'validation_error'],
    [{ code: 'HPE_INVALID_METHOD' }, 400, 'validation_error'],
    [{ code: 'HPE_HEADER_OVERFLOW' }, 431, 'validation_error'],
    [{ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, 408, 'validation_error'],
    [{ statusCode: 400 }, 400, 'validation_error'],
    [Object.assign(new Error('x'), { name: 'Overloaded' }), 503, 'internal_error'],
    [Object.assign(new Error('x'), { name: 'DatabaseUnavailable' }), 503, 'internal_error'],
  ])('renders %j', (error, status, type) => {
    expect(parsed(error)).toMatchObject({ status, error: { type }, unexpected: false });
    if (status === 503) expect(parsed(error).headers).toMatchObject({ 'retry-after': '1' });
  });

  it.each([new Error('secret'), 'secret', undefined, { statusCode: 500, message: 'secret' }])(
    'hides what nobody expected',
    (error) => {
      const answer = parsed(error);
      expect(answer).toMatchObject({ status: 500, unexpected: true });
      expect(JSON.stringify(answer)).not.toContain('secret');
    },
  );
});
