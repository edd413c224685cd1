import { describe, expect, it } from '@jest/globals';
import { isWithoutEffect, ServiceUnavailable } from './rpc.port.js';

const named = (name: string) => Object.assign(new Error(), { name });

describe('what a failed call may have done', () => {
  it.each([
    ['refused for overload', named('Overloaded'), true],
    ['nobody there to be asked', new ServiceUnavailable('billing', 'accept', false), true],
    ['no answer in time', new ServiceUnavailable('billing', 'accept', true), false],
    ['the database gone in the middle', named('DatabaseUnavailable'), false],
    ['anything else', new Error('who knows'), false],
  ])('%s', (_, error, isNothing) => {
    expect(isWithoutEffect(error)).toBe(isNothing);
  });
});
