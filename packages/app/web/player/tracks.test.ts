import { expect, test } from 'vitest';
import type { Item, SessionTrack } from './requests.ts';
import { chapterAt, chaptersOf, preferredText, previewAt } from './tracks.ts';

const track = (id: string, more: Partial<SessionTrack>): SessionTrack => ({
  ...{ id, kind: 'subtitle', codec: 'srt', language: null, title: null, isForced: false },
  ...{
    isHearingImpaired: false,
    isSelected: false,
    way: 'direct',
    reasons: [],
    assUrl: null,
    supUrl: null,
  },
  ...{ url: `/${id}.vtt`, ...more },
});

const tracks = [
  track('sound', { kind: 'audio', language: 'ja', isSelected: true, url: null }),
  track('forced', { language: 'ja', isForced: true }),
  track('english', { language: 'en-GB' }),
  track('german', { language: 'de' }),
  track('pictures', { language: 'fr', url: null }),
];
const wishes = { mode: 'auto', languages: ['fr', 'de', 'en'], understood: ['de'] } as const;

test('subtitles are shown where the sound is in a language that is not understood', () => {
  expect(preferredText(tracks, wishes)?.id).toBe('german');
  expect(preferredText(tracks, { ...wishes, understood: ['ja'] })?.id).toBe('forced');
  expect(preferredText(tracks, { ...wishes, understood: [] })?.id).toBe('forced');
});

test.each([null, 'und'])('forced subtitles are shown with sound in the language %j', (language) => {
  const sound = track('sound', { kind: 'audio', language, isSelected: true, url: null });
  const french = track('french', { language: 'fr', isForced: true });
  const others = [sound, track('full', { language: 'de' }), track('japanese', { isForced: true })];

  expect(preferredText(others, wishes)?.id).toBe('japanese');
  expect(preferredText([...others, french], wishes)?.id).toBe('french');
  expect(preferredText([...others, french], { ...wishes, mode: 'off' })).toBeNull();
});

test('a profile may want all subtitles, forced ones, or none', () => {
  expect(preferredText(tracks, { ...wishes, mode: 'off' })).toBeNull();
  expect(preferredText(tracks, { ...wishes, mode: 'forced' })?.id).toBe('forced');
  expect(preferredText(tracks, { ...wishes, mode: 'always' })?.id).toBe('german');
  expect(preferredText(tracks, { ...wishes, mode: 'always', languages: [] })?.id).toBe('english');
});

test('chapters of parts are on one line, and a part without chapters is one', () => {
  const chapter = { title: 'Opening', role: 'intro', startTime: 5, endTime: null };
  const item = {
    files: [
      { id: 'a', filename: 'Part 1.mp3', chapters: [] },
      { id: 'b', filename: 'Part 2.mp3', chapters: [chapter] },
    ],
  } as unknown as Item;
  const chapters = chaptersOf(item, [
    { fileId: 'a', start: 0, duration: 40 },
    { fileId: 'b', start: 40, duration: 40 },
  ]);
  expect(chapters).toEqual([
    { title: 'Part 1', role: 'chapter', start: 0, end: 40 },
    { title: 'Opening', role: 'intro', start: 45, end: 80 },
  ]);
  expect(chapterAt(chapters, 10)?.title).toBe('Part 1');
  expect(chapterAt(chapters, 42)).toBeUndefined();
  expect(chapterAt(chapters, 79)?.role).toBe('intro');
});

test('the little picture of a time lies on a sheet', () => {
  const pictures = { width: 320, height: 180, columns: 10, rows: 10, interval: 10, count: 130 };
  expect(previewAt(pictures, 0)).toEqual({ sheet: 0, column: 0, row: 0 });
  expect(previewAt(pictures, 239)).toEqual({ sheet: 0, column: 3, row: 2 });
  expect(previewAt(pictures, 1005)).toEqual({ sheet: 1, column: 0, row: 0 });
  expect(previewAt(pictures, 1300)).toBeUndefined();
  expect(previewAt(pictures, NaN)).toBeUndefined();
});
