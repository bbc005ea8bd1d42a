import { expect, test } from 'vitest';
import { faultOf, isBookType, isMedia } from './part-reply.ts';

const file = { size: 100, type: 'video/mp4', etag: '"1"' };
const bytes = { first: 10, last: 19 };
const good = { 'content-type': 'video/mp4', etag: '"1"', 'content-range': 'bytes 10-19/100' };

test.each([
  ['the part', 206, {}, null],
  ['the part, with parameters of the type', 206, { 'content-type': 'Video/MP4; a=b' }, null],
  ['a page of a portal', 200, { 'content-type': 'text/html', etag: null }, 'reply'],
  ['a page that says that it is the part', 206, { 'content-type': 'text/html' }, 'reply'],
  ['other bytes', 206, { 'content-range': 'bytes 0-9/100' }, 'reply'],
  ['fewer bytes', 206, { 'content-range': 'bytes 10-18/100' }, 'reply'],
  ['bytes that it does not name', 206, { 'content-range': null }, 'reply'],
  ['the whole file', 200, { 'content-range': null }, 'reply'],
  ['another file', 200, { etag: '"2"' }, 'changed'],
  ['a part of another file', 206, { etag: '"2"' }, 'changed'],
  ['a longer file', 206, { 'content-range': 'bytes 10-19/200' }, 'changed'],
  ['a shorter file', 416, { 'content-range': 'bytes */5' }, 'changed'],
  ['a file that is not to be seen', 404, {}, 'gone'],
  ['a session that ended', 401, {}, 'signedOut'],
  ['a redirection that is not followed', 302, {}, 'reply'],
  ['a server that is busy', 503, {}, 'later'],
  ['a proxy without a server', 502, { 'content-type': 'text/html' }, 'later'],
])('a reply with %s is known', (_, status, headers, fault) => {
  const all: Readonly<Record<string, string | null>> = { ...good, ...headers };
  const reply = { status, headers: { get: (name: string) => all[name] ?? null } };
  expect(faultOf(reply, file, bytes)).toBe(fault);
});

test('a book is kept by its type, and nothing that a browser would run as a page', () => {
  const books = ['application/epub+zip', 'application/pdf', 'application/x-cbr'];
  expect(books.map(isBookType)).toEqual([true, true, true]);
  expect(books.map(isMedia)).toEqual([false, false, false]);
  const pages = ['text/html', 'application/xhtml+xml', 'image/svg+xml', 'application/javascript'];
  expect(pages.map((type) => isBookType(type) || isMedia(type))).toEqual(pages.map(() => false));
});
