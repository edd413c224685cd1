import { expect, it } from '@jest/globals';
import { plivoSignature } from './plivo-signature.js';

// `validateSignature` of plivo 4.79.0, Plivo's own SDK, takes each of them.
it.each([
  ['https://svc.example.com/cb/plivo?mid=1', 'nvx3nP4lmV1rp316dzIdYr+yS5D/ExSPLNCeh6y+pNY='],
  ['http://127.0.0.1:3000/cb/plivo?mid=0197', '+8bK4mvrSJZD9DEVOlZJyy2jcHTtP9LABhFVoMKK3Gs='],
])('Plivo signs a messaging callback to %s with version 2', (url, signature) => {
  expect(plivoSignature('plivo_token', url, '12345678901234567890')).toBe(signature);
});
