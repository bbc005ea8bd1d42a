import { describe, expect, test } from 'vitest';
import { readM3u, urisOf } from './read-m3u.ts';

const roots = ['file:///media/music', 'file:///disk/more'];

/** The likeliest URIs of the only entry, for a playlist in `/media/music/Lists`. */
function placesOf(line: string): readonly string[] | null {
  const [entry] = readM3u([line]) ?? [];
  return entry?.place ? urisOf(entry.place, { folder: `${roots[0]}/Lists`, roots }) : null;
}

describe('an M3U', () => {
  test('has titles and lengths for its files, in order', () => {
    const lines = [
      '\ufeff#EXTM3U',
      '#EXTINF:123,Ann - One',
      'a/1.mp3',
      '',
      '# a word',
      '#EXTINF:-1 tvg-id="x",',
      '2.mp3',
      '3.mp3',
    ];

    expect(readM3u(lines)?.map(({ title, duration }) => [title, duration])).toEqual([
      ['Ann - One', 123],
      ['2.mp3', null],
      ['3.mp3', null],
    ]);
  });

  test('that lists the pieces of a stream is none', () => {
    expect(readM3u(['#EXTM3U', '#EXT-X-TARGETDURATION:6', '#EXTINF:6,', '0.ts'])).toBeNull();
  });

  test.each([
    ['../Ann/One.mp3', 'file:///media/music/Ann/One.mp3'],
    ['.\\Ann\\One.mp3', 'file:///media/music/Lists/Ann/One.mp3'],
    ['Ann/#1 & é.mp3', 'file:///media/music/Lists/Ann/%231%20%26%20%C3%A9.mp3'],
    ['file:///media/music/Ann/One%20two.mp3', 'file:///media/music/Ann/One%20two.mp3'],
    ['file://localhost/media/music/Ann/1.mp3', 'file:///media/music/Ann/1.mp3'],
    ['/media/music/Ann/One.mp3', 'file:///media/music/Ann/One.mp3'],
  ])('names %s, which is first %s', (line, uri) => {
    expect(placesOf(line)?.[0]).toBe(uri);
  });

  test.each([
    'C:\\Users\\Ann\\Music\\Ann\\One.mp3',
    'file:///C:/Users/Ann/Music/Ann/One.mp3',
    '/Volumes/Music/Ann/One.mp3',
    'D:/Ann/One.mp3',
  ])('of another machine names a file by the end of its path: %s', (line) => {
    expect(placesOf(line)).toContain('file:///media/music/Ann/One.mp3');
    expect(placesOf(line)).toContain('file:///disk/more/Ann/One.mp3');
  });

  test.each([
    '../../etc/passwd',
    '..\\..\\..\\etc\\passwd',
    'Ann/../../../x.mp3',
    '/../../etc/passwd',
    'file:///etc/passwd',
    'file:///media/music/../../etc/passwd',
    '%2e%2e/%2e%2e/x',
  ])('leads nowhere out of its library: %s', (line) => {
    for (const uri of placesOf(line) ?? []) {
      expect(roots.some((root) => uri.startsWith(`${root}/`))).toBe(true);
      expect(uri.split('/')).not.toContain('..');
    }
  });

  test.each(['http://a.b/x.mp3', 'rtsp://a', 'smb://host/x.mp3', '///', '\0'])(
    'names no file of the library: %s',
    (line) => {
      expect(placesOf(line) ?? []).toEqual([]);
    },
  );

  test('is cut at 5,000 entries, and has few places for a long path', () => {
    const lines = Array.from({ length: 6000 }, () => `${'/a'.repeat(5000)}/1.mp3`);
    const entries = readM3u(lines) ?? [];

    expect(entries).toHaveLength(5000);
    const [{ place } = { place: null }] = entries;
    expect(place && urisOf(place, { folder: roots[0] ?? '', roots }).length).toBeLessThanOrEqual(
      24,
    );
  });
});
