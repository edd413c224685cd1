import { describe, expect, it } from '@jest/globals';
import { readAttachments } from './attachments.policy.js';

describe('the content type of an attachment', () => {
  it.each([
    ['report.pdf', 'application/pdf'],
    ['REPORT.PDF', 'application/pdf'],
    ['C:\\tmp\\data.csv', 'text/csv'],
    ['README', 'application/octet-stream'],
    ['x.constructor', 'application/octet-stream'],
    ['x.__proto__', 'application/octet-stream'],
    ['x.toString', 'application/octet-stream'],
  ])('of %s is %s', (filename, type) => {
    expect(readAttachments([{ filename, content: '' }])).toMatchObject([{ content_type: type }]);
  });
});
