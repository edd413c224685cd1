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

  const given = (content_type: string) =>
    readAttachments([{ filename: 'a', content: '', content_type }]);

  it.each([
    'text/plain',
    'application/vnd.acme+json; charset=utf-8',
    'text/calendar;method=REQUEST ;\tname="a; \\"b\\".ics"',
    "application/x-a'b~c",
  ])('the content type of an attachment may be %j', (type) => {
    expect(given(type)).toMatchObject([{ content_type: type }]);
  });

  it.each([
    'text',
    'text/plain;',
    'text/plain\n',
    'text/plain\r\nX-Spam: no',
    'text/plain;\n charset=utf-8',
    'text/plain; name="a\nb"',
    'text/plain; name="a\u0000b"',
    'text/plain; name="é"',
    'text/plain; name="a',
    'text/plain; a b=c',
    'text/(plain)',
  ])('decisions 28: the content type of an attachment may not be %j', (type) => {
    expect(() => given(type)).toThrow(
      expect.objectContaining({ field: 'attachments.0.content_type' }),
    );
  });
});
