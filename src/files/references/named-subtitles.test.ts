import { describe, expect, test } from 'vitest';
import type { BundleSubtitle } from '../../../plugin-api/index.ts';
import { acceptedSubtitles } from './named-subtitles.ts';

const srt: BundleSubtitle = { type: 'external', format: 'srt', source: 'painter' };
const film = 'file:///films/One.mkv';
const own = { ...srt, uri: 'file:///films/One.srt', mediaFileUri: film };
const text = { ...srt, text: '1' };

function accepted(subtitles: readonly BundleSubtitle[]) {
  const told: string[] = [];
  const kept = acceptedSubtitles(subtitles, {
    accept: ({ uri }) => (uri.includes('elsewhere') ? null : uri),
    refuse: (pluginId, { what, why }) => void told.push(`${pluginId} ${what}: ${why}`),
    mediaUris: new Set([film]),
    isOfLibrary: (uri) => uri.startsWith('file:///films/'),
  });
  return { kept, told };
}

describe('subtitles', () => {
  test('are kept with a URI that their plugin may name, or a text', () => {
    const all = [
      own,
      { ...srt, uri: 'shelf://1.srt' },
      text,
      { ...srt, type: 'embedded' } as const,
    ];

    expect(accepted(all)).toEqual({ kept: all, told: [] });
    expect(accepted([{ ...own, uri: 'file:///elsewhere/One.srt' }]).kept).toEqual([]);
  });

  test.each<[string, BundleSubtitle]>([
    ['an external track needs a uri or a text.', srt],
    ['a track has a uri or a text, not both.', { ...own, text: '1' }],
    ['a track in the file has no text.', { ...text, type: 'embedded' }],
    [
      'mediaFileUri is not a media file of the item; take one of bundle.files.media.',
      { ...own, mediaFileUri: 'file:///films/Two.mkv' },
    ],
    [
      'format "idx" is not one of srt, subrip, ass, ssa, vtt, webvtt, ttml, smi, sub, sbv, lrc.',
      { ...text, format: 'IDX' },
    ],
  ])('are refused aloud: %s', (why, subtitle) => {
    expect(accepted([subtitle])).toEqual({ kept: [], told: [`painter subtitles: ${why}`] });
  });

  test('that are files of the library do not count as given', () => {
    const files = Array.from({ length: 30 }, () => own);
    const given = Array.from({ length: 21 }, () => text);

    expect(accepted([...files, ...given])).toEqual({
      kept: [...files, ...given.slice(1)],
      told: ['painter subtitles: an item has at most 20 tracks that plugins give.'],
    });
  });
});
