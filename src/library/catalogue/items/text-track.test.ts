/** Tracks that plugins name: each is what its plugin may name now, or is not there. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createReferenceCheck } from '../../../files/references/index.ts';
import { isBelow } from '../../../files/filesystems/index.ts';
import { placedTracks } from './text-track.ts';

const roots = ['file:///media/films'];
const film = {
  ...{ id: 'film', type: 'media', uri: 'file:///media/films/One.mkv' },
  ...{ classification: 'primary', part_number: 1 },
};
let hosts: ReadonlySet<string>;
let writers: ReadonlySet<string>;

beforeEach(() => {
  hosts = new Set(['a.example']);
  writers = new Set(['giver', 'shelf']);
});

const check = createReferenceCheck({
  roots: () => [...roots, 'file:///media/hidden', 'shelf://library'],
  mayWrite: (pluginId) => writers.has(pluginId),
  mayName: (_pluginId, uri) => isBelow(uri, 'file:///media/films'),
  serves: (pluginId, scheme) => pluginId === 'shelf' && scheme === 'shelf',
  mayFetch: (pluginId, url) => pluginId === 'giver' && hosts.has(new URL(url).host),
});

function kindsOf(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const subtitles = [{ type: 'external', format: 'srt', source: 'giver', ...fields }];
  const tracks = placedTracks(JSON.stringify({ subtitles }), [film as never], {
    ...{ check, roots },
    mayWrite: (pluginId) => writers.has(pluginId),
  });
  return (tracks.get('film') ?? []).map(({ place }) => place.kind);
}

describe('a track that a plugin gives', () => {
  test.each([
    [{ uri: 'https://a.example/1.srt' }, 'web'],
    [{ uri: 'shelf://1.srt', source: 'shelf' }, 'served'],
    [{ textKey: 'k' }, 'text'],
    [{ uri: 'file:///media/films/One.srt' }, 'file'],
  ])('is there: %j', (fields, kind) => {
    expect(kindsOf(fields)).toEqual([kind]);
  });

  test.each([
    { uri: 'shelf://1.srt' },
    { uri: 'SHELF://1.srt' },
    { uri: 'shelf://library/1.srt', source: 'shelf' },
    { uri: 'https://a.example/1.srt', source: 'shelf' },
    { uri: 'https://a.example.evil.example/1.srt' },
    { uri: 'https://a.example@evil.example/1.srt' },
    { uri: String.raw`https://evil.example\@a.example/1.srt` },
    { uri: 'https://a.example:8443/1.srt' },
    { uri: 'https:a.example/1.srt' },
    { uri: 'https://ａ.example。evil.example/1.srt' },
    { uri: 'https://127.0.0.1/1.srt' },
    { uri: 'file:///media/hidden/One.srt' },
    { uri: 'file:///media/films/../hidden/One.srt' },
    { uri: 'file:///media/films/%2e%2e/hidden/One.srt' },
    { uri: 'file:///media/films/..%2fhidden/One.srt' },
    { uri: 'file:///media/films' },
    { uri: 'file:///media/films/' },
    { uri: 'file:///media/filmsecrets/One.srt' },
    { uri: 'file://evil/media/films/One.srt' },
    { uri: 'file:/media/films/One.srt' },
    { uri: 'file:///proc/self/root/media/hidden/One.srt' },
    { uri: 'file:///media/films/One.mkv' },
    { uri: 'file:///media/films/One.mp3#artwork=0' },
    { uri: 'data:text/plain,1' },
    { uri: 'javascript:1' },
    { uri: 'blob:https://a.example/1' },
    { uri: 'One.srt' },
    { uri: '' },
    { uri: 1 },
    { uri: ['https://a.example/1.srt'] },
    { textKey: 'k', source: 'reader' },
    { textKey: 'k', source: null },
    { textKey: 1 },
    { uri: 'https://a.example/1.srt', format: 'html' },
    { uri: 'https://a.example/1.srt', format: 'pgs' },
    { uri: 'https://a.example/1.srt', format: '__proto__' },
    { uri: 'https://a.example/1.srt', mediaFileUri: 'file:///media/hidden/One.mkv' },
    { type: 'embedded', streamIndex: -0.5 },
    { type: 'embedded', streamIndex: '0' },
    { type: '__proto__', uri: 'https://a.example/1.srt' },
  ])('is not there: %j', (fields) => {
    expect(kindsOf(fields)).toEqual([]);
  });

  test('is there no longer when the grant of its plugin ended', () => {
    const all = [{ uri: 'https://a.example/1.srt' }, { textKey: 'k' }];
    hosts = new Set();
    expect(all.map(kindsOf)).toEqual([[], ['text']]);

    writers = new Set();
    expect(all.map(kindsOf)).toEqual([[], []]);
  });
});

test('a file with two languages has a track for each, in the conversion of which its language counts', () => {
  const smi = { id: 'smi', type: 'auxiliary', uri: 'file:///media/films/One.smi' };
  const one = { type: 'external', format: 'smi', source: 'giver', uri: smi.uri };
  const subtitles = ['ko', 'en', 'en'].map((language) => ({ ...one, language }));
  const tracks = placedTracks(JSON.stringify({ subtitles }), [film, smi] as never, {
    ...{ check, roots, mayWrite: () => true },
  });

  expect(
    tracks
      .get('film')
      ?.map(({ track: { id, language, url }, place }) => [id, language, url, place]),
  ).toEqual([
    ['smi', 'ko', '/api/files/film/text/smi.vtt', { kind: 'file', uri: smi.uri }],
    ['smi-en', 'en', '/api/files/film/text/smi-en.vtt', { kind: 'file', uri: smi.uri }],
  ]);
});
