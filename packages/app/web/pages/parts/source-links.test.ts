import { expect, test } from 'vitest';
import { sourceLinksOf } from './source-links.tsx';

test('a page of a catalogue is a link by its host, and no other address is one', () => {
  expect(
    sourceLinksOf({
      tvmazeUrl: 'https://www.tvmaze.com/shows/82',
      wikipediaUrl: 'https://de.wikipedia.org/wiki/Solaris',
      title: 'https://example.org/title',
      scriptUrl: 'javascript:alert(1)',
      plainUrl: 'http://192.168.1.1/admin',
      numberUrl: 7,
      brokenUrl: 'https://',
    }),
  ).toEqual([
    { host: 'tvmaze.com', href: 'https://www.tvmaze.com/shows/82' },
    { host: 'de.wikipedia.org', href: 'https://de.wikipedia.org/wiki/Solaris' },
  ]);
});
