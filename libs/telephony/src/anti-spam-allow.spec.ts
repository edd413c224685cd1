import { expect, it } from '@jest/globals';
import { isAllowListed } from './anti-spam-allow.js';

const ALLOW = {
  sender_ids: ['Acme'],
  template_ids: ['0199c2a4-7000-7b12-9c23-2d3e4f5a6b71'],
  domains: ['acme.com'],
};
const MESSAGE = { senderId: 'Other', templateId: null, text: 'See bit.ly/3xY' };

it.each([
  ['its sender ID', { senderId: 'ACME' }, true],
  ['its template', { templateId: '0199C2A4-7000-7B12-9C23-2D3E4F5A6B71' }, true],
  ['its links', { text: 'See acme.com' }, true],
  ['no sender ID', { senderId: null }, false],
  ['another template', { templateId: '0199c2a4-7000-7b12-9c23-2d3e4f5a6b72' }, false],
  ['nothing of it', {}, false],
])('a message is judged by %s', (_, own, expected) => {
  expect(isAllowListed(ALLOW, { ...MESSAGE, ...own })).toBe(expected);
});

it('empty lists list nothing', () => {
  const nothing = { sender_ids: [], template_ids: [], domains: [] };
  expect(isAllowListed(nothing, { senderId: null, templateId: null, text: '' })).toBe(false);
});
