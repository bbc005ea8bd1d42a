import { expect, test } from 'vitest';
import { deltaOf, uriOf } from '../fake-item.ts';

const media = ['Artist/Album/01 Song.flac'];

test('lyrics with times are a field without them, and a subtitle with them', async () => {
  const text = `[ti:Song]
[ar:Artist]
[offset:+100]
[00:12.00]First line
[00:15.30][00:45.30]<00:15.30>Sec<00:15.80>ond line

[01:02.1] Third line
`;

  expect(await deltaOf({ media, beside: { 'Artist/Album/01 Song.de.lrc': text } })).toEqual({
    fields: { lyrics: 'First line\nSecond line\n\nThird line' },
    subtitles: [
      {
        type: 'external',
        language: 'de',
        format: 'lrc',
        uri: uriOf('Artist/Album/01 Song.de.lrc'),
        source: 'sidecars',
        mediaFileUri: uriOf('Artist/Album/01 Song.flac'),
      },
    ],
  });
});

test('lyrics without times are only a field', async () => {
  const text = 'First line\r\nSecond line\r\n';
  const read = (name: string) => deltaOf({ media, beside: { [`Artist/Album/${name}`]: text } });

  expect(await read('01 Song.txt')).toEqual({ fields: { lyrics: 'First line\nSecond line' } });
  expect(await read('01 Song.lrc')).toEqual({ fields: { lyrics: 'First line\nSecond line' } });
  expect(await read('02 Other.lrc')).toBeNull();
  expect(await read('info.txt')).toBeNull();
});
