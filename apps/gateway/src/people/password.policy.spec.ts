import { describe, expect, it } from '@jest/globals';
import { checkNewPassword } from './password.policy.js';

const check = (password: string) => () => checkNewPassword(password, 'new_password');

describe('checkNewPassword', () => {
  it.each(['correct horse battery', 'Amélie-Amélie', '0123456789ab', '合言葉合言葉合言葉合言葉'])(
    'accepts "%s"',
    (password) => expect(check(password)).not.toThrow(),
  );

  it.each(['', 'short', '12345678901', 'e\u0301'.repeat(6) + 'abcde'])(
    'refuses "%s" for its length',
    (password) => expect(check(password)).toThrow('new_password needs 12 characters.'),
  );

  it.each(['123456789012', 'passwordpassword', 'Password1234', 'ADMINISTRATOR', 'ｐassword1234'])(
    'refuses "%s" as common',
    (password) => expect(check(password)).toThrow('new_password is too common.'),
  );
});
