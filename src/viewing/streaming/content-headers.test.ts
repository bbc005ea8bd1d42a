import { describe, expect, test } from 'vitest';
import { contentHeaders } from './content-headers.ts';

const disposition = (filename: string, mimeType = 'video/mp4') =>
  contentHeaders(filename, mimeType)['content-disposition'];

describe('contentHeaders', () => {
  test('gives the name in a form for old clients and in the exact one', () => {
    expect(disposition('Amélie (2001).mkv')).toBe(
      `inline; filename="Am_lie (2001).mkv"; filename*=UTF-8''Am%C3%A9lie%20%282001%29.mkv`,
    );
  });

  test.each([
    'a"; evil="1',
    'a\r\nSet-Cookie: x',
    'a\\',
    '\u202Egpj.exe',
    '\uD800',
    '%41',
    '../../etc',
  ])('escapes a name that would break out of its header: %j', (name) => {
    expect(disposition(name)).toMatch(
      /^inline; filename="[\x20-\x7E]*"; filename\*=UTF-8''[\w%.!~-]*$/,
    );
    expect(disposition(name)).not.toMatch(/[\r\n]|"[^;]*"[^;]*"/);
  });

  test.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'application/javascript',
  ])('sends %s as a download', (mimeType) => {
    expect(disposition('page', mimeType)).toMatch(/^attachment;/);
  });

  test.each([
    'video/mp4',
    'audio/flac',
    'image/jpeg',
    'application/pdf',
    'application/epub+zip',
    'text/plain',
  ])('shows %s', (mimeType) => {
    expect(disposition('file', mimeType)).toMatch(/^inline;/);
  });
});
