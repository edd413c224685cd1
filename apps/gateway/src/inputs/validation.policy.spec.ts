import { describe, expect, it } from '@jest/globals';
import { type TSchema, Type } from '@sinclair/typebox';
import {
  ApiError,
  CreateWorkspaceBody,
  type ErrorText,
  LogInBody,
  SendOtpBody,
  VerifyOtpBody,
} from '@watchword/contracts';
import { compileBody, compileQuery } from './validation.policy.js';

const known = { name: Type.String() };

describe('members of a body that its schema does not name', () => {
  it('reach no handler', () => {
    const read = compileBody(Type.Object(known));
    const body = { name: 'a', workspace_id: 'of another' };
    expect(read(body)).toEqual({ name: 'a' });
    expect(body).toHaveProperty('workspace_id');
  });

  it('leave a body without them as it is', () => {
    const body = { name: 'a' };
    expect(compileBody(Type.Object(known))(body)).toBe(body);
  });

  it.each([
    ['a dictionary', Type.Record(Type.String(), Type.String())],
    ['a schema that allows any', Type.Object(known, { additionalProperties: true })],
    ['a union', Type.Union([Type.Object(known), Type.Object({ ...known, other: Type.String() })])],
  ])('are kept by %s', (_, schema) => {
    const body = { name: 'a', other: 'b' };
    expect(compileBody(schema)(body)).toEqual(body);
  });
});

describe('what PHP, Python and forms write', () => {
  const settings = Type.Object({
    limits: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  });
  const body = Type.Object({
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    settings: Type.Optional(Type.Union([settings, Type.Null()])),
    items: Type.Optional(Type.Array(settings)),
    list: Type.Optional(Type.Array(Type.Unknown())),
  });

  it('as an empty object is taken wherever the schema wants an object (PHP 8 json_encode)', () => {
    const read = compileBody(body);
    const given = { metadata: [], settings: { limits: [] }, items: [[], { limits: [] }], list: [] };
    const [metadata, limits] = [{}, {}];
    expect(read(given)).toEqual({
      metadata,
      settings: { limits },
      items: [{}, { limits }],
      list: [],
    });
    expect(read([])).toEqual({});
    expect(read({ settings: [] })).toEqual({ settings: {} });
    expect(read({ metadata: { list: [] } })).toEqual({ metadata: { list: [] } });
    expect(() => read({ metadata: [1] })).toThrow('metadata must be an object');
    expect(() => compileBody(VerifyOtpBody)([])).toThrow('otp_id is required');
  });

  it.each([
    ['1', true],
    ['yes', true],
    ['true', true],
    ['0', false],
    ['no', false],
  ])('as a flag in a query is taken: %s', (written, flag) => {
    const read = compileQuery(Type.Object({ test_mode: Type.Boolean() }));
    expect(read({ test_mode: written })).toEqual({ test_mode: flag });
  });

  it.each(['2', '', 'wahr', 'constructor'])('as no flag is refused: %j', (written) => {
    const read = compileQuery(Type.Object({ test_mode: Type.Boolean() }));
    expect(() => read({ test_mode: written })).toThrow('test_mode must be true or false');
  });
});

describe('the sentence about a wrong input', () => {
  const sentence = (schema: TSchema, body: unknown): ErrorText | undefined => {
    try {
      compileBody(schema)(body);
    } catch (error) {
      if (error instanceof ApiError) return error.text;
    }
    return undefined;
  };
  const id = { code: '123456', otp_id: 'x' };

  it.each<[string, TSchema, unknown, string, string]>([
    [
      'has an example',
      SendOtpBody,
      { phone_number: 5 },
      'phone_number must be a string, for example "+2348031234567".',
      'phone_number doit être une chaîne, par exemple "+2348031234567".',
    ],
    [
      'names the source of an id',
      VerifyOtpBody,
      id,
      'otp_id must be the `id` that /v1/otp/send returned.',
      'otp_id doit être la valeur `id` que /v1/otp/send a renvoyée.',
    ],
    [
      'names a setting that was probably meant',
      CreateWorkspaceBody,
      { name: 'Acme', billing_country: 'NG', settings: { sms_rewrite: true } },
      'settings.sms_rewrite is unknown. Did you mean "sms_rewriting"?',
      'settings.sms_rewrite est inconnu. Vouliez-vous dire « sms_rewriting » ?',
    ],
  ])('%s', (_, schema, body, en, fr) => {
    expect(sentence(schema, body)).toEqual({ en, fr });
  });

  it('has no example of a secret, and never the value', () => {
    const text = sentence(LogInBody, { email: 'a@example.com', password: 4711 });
    expect(text?.en).toBe('password must be a string.');
  });
});
