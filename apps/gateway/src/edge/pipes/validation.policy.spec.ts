import { describe, expect, it } from '@jest/globals';
import { Type } from '@sinclair/typebox';
import { compileBody } from './validation.policy.js';

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
