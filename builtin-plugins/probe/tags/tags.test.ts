import { describe, expect, test } from 'vitest';
import type { TagsDraft } from '../media.ts';
import { genresIn } from './genres.ts';
import { addMissing, setTag } from './known-tags.ts';
import { language } from '../../media-headers/language.ts';
import { dateOf, numberAndTotal } from './tag-words.ts';

const read = (...pairs: readonly (readonly [string, string])[]): TagsDraft => {
  const tags: TagsDraft = {};
  for (const [name, value] of pairs) setTag(tags, name, value);
  return tags;
};

describe('tags of every format', () => {
  test.each([
    [
      [
        ['REPLAYGAIN_TRACK_GAIN', '-7.03 dB'],
        ['replaygain_track_peak', '0.500000'],
        ['ReplayGain_Album_Gain', '+1.5'],
        ['REPLAYGAIN_ALBUM_PEAK', '1.000000'],
      ],
      { trackGainDb: -7.03, trackPeakDb: -6.02, albumGainDb: 1.5, albumPeakDb: 0 },
    ],
    // 256ths of a decibel, to -23 LUFS; they go before ReplayGain, in either order.
    [
      [
        ['REPLAYGAIN_TRACK_GAIN', '-7.03 dB'],
        ['R128_TRACK_GAIN', '-512'],
        ['R128_ALBUM_GAIN', '256'],
        ['REPLAYGAIN_ALBUM_GAIN', '-7.03 dB'],
      ],
      { trackGainDb: 3, albumGainDb: 6 },
    ],
    ...['NaN', '1e9', '-51.01 dB', '999', 'loud', '-7 dB; rm', '٣', '9'.repeat(5000)].map(
      (value) => [[['REPLAYGAIN_TRACK_GAIN', value]], undefined] as const,
    ),
    ...['0', '-1', 'NaN', '1e9', '999', '0.000001'].map(
      (value) => [[['REPLAYGAIN_TRACK_PEAK', value]], undefined] as const,
    ),
    ...['32769', '-32768', '1.5', 'NaN', '1e3'].map(
      (value) => [[['R128_TRACK_GAIN', value]], undefined] as const,
    ),
  ] as const)('the gains and peaks of %j are %j', (pairs, replayGain) => {
    expect(read(...pairs).replayGain).toEqual(replayGain);
  });

  test.each([
    ['eng', 'en'],
    ['ger', 'de'],
    ['deu', 'de'],
    ['chi', 'zh'],
    ['pt-br', 'pt-BR'],
    ['en_US', 'en-US'],
    ['und', undefined],
    ['', undefined],
    ['English', 'en'],
    ['Klingonese', undefined],
    ['a'.repeat(5000), undefined],
  ])('the language %j is %j', (spelled, tag) => {
    expect(language(spelled)).toBe(tag);
  });

  test.each([
    ['2001', '2001'],
    ['2001-2-3', '2001-02-03'],
    ['20010203', '2001-02-03'],
    ['2001-02-03T04:05:06Z', '2001-02-03'],
    ['2001-00-00', '2001'],
    ['c. 1920', '1920'],
    ['12', undefined],
  ])('the date %j is %j', (text, date) => {
    expect(dateOf(text).date).toBe(date);
  });

  test.each([
    ['3', 3, undefined],
    ['03/12', 3, 12],
    ['3 of 12', 3, 12],
    ['/12', undefined, 12],
    ['0/0', undefined, undefined],
    ['A1', undefined, undefined],
  ])('the number %j is %j of %j', (text, number, total) => {
    expect(numberAndTotal(text)).toEqual({ number, total });
  });

  test.each([
    ['(17)', 'Rock'],
    ['17', 'Rock'],
    ['(17)Hard Rock', 'Rock\0Hard Rock'],
    ['(17)Rock', 'Rock'],
    ['(17)(9)Slow Metal', 'Rock\0Metal\0Slow Metal'],
    ['(17) (RX) Slow Metal', 'Rock\0Slow Metal'],
    ['17\0 9\0 Trip', 'Rock\0Metal\0Trip'],
    ['((80) Hits', '(80) Hits'],
    ['Hits of (80)', 'Hits of (80)'],
    ['( 1)'.repeat(5000), '( 1)'.repeat(5000)],
    ['(4)(17)', 'Disco\0Rock'],
    ['Rock\0Jazz', 'Rock\0Jazz'],
    ['(999)', ''],
  ])('the genre %j of ID3 is %j', (text, names) => {
    expect(genresIn(text)).toBe(names);
  });

  test('names are known in any case and with any separator between their words', () => {
    const tags = read(
      ['ALBUM ARTIST', 'Band'],
      ['album_artist', 'Not this'],
      ['TotalTracks', '12'],
      ['MusicBrainz Album Id', 'abc'],
      ['iTunNORM', 'nothing'],
    );

    expect(tags).toEqual({
      albumArtist: 'Band',
      trackTotal: 12,
      ids: { 'musicbrainz-release': 'abc' },
    });
  });

  describe.each([
    ['artist', 'artists'],
    ['albumArtist', 'albumArtists'],
  ] as const)('several of %s', (one, several) => {
    test('are stored separately and named together', () => {
      expect(read([one, 'Simon'], [one, 'Garfunkel'], [one, 'Simon'])).toEqual({
        [one]: 'Simon, Garfunkel',
        [several]: ['Simon', 'Garfunkel'],
      });
      expect(read([one, 'AC/DC'], [one, 'AC/DC'])).toEqual({ [one]: 'AC/DC' });
    });

    test.each([[[0, 1, 2]], [[1, 2, 0]]])(
      'keep the words that name them together, in the order %j',
      (order) => {
        const pairs = [[one, 'Simon & Garfunkel'], [several, 'Simon'], [several, 'Garfunkel']] as const; // oxfmt-ignore
        const tags = read(...order.flatMap((at) => pairs.slice(at, at + 1)));

        expect(tags).toEqual({ [one]: 'Simon & Garfunkel', [several]: ['Simon', 'Garfunkel'] });
      },
    );
  });

  test('another spelling of a tag repeats the album artists in other words', () => {
    const pairs = [['ALBUMARTIST', 'Jon'], ['ALBUM ARTIST', 'Jon & Kay'], ['ALBUMARTIST', 'Kay']] as const; // oxfmt-ignore

    expect(read(...pairs)).toEqual({ albumArtist: 'Jon, Kay', albumArtists: ['Jon', 'Kay'] });
  });

  test('the most exact of several dates counts', () => {
    expect(read(['year', '1999'], ['date', '1999-05-06'], ['originaldate', '1998'])).toEqual({
      date: '1999-05-06',
      year: 1999,
    });
  });
});

test('a further block of tags adds what is missing, and joins no artists', () => {
  const tags = read(
    ['artist', 'Id3 Artist'],
    ['albumartist', 'Id3 Band'],
    ['track', '3'],
    ['isrc', 'A1'],
  );

  addMissing(
    tags,
    read(
      ['artist', 'Ape One\0Ape Two'],
      ['albumartist', 'Ape Band\0Ape Choir'],
      ['track', '4/9'],
      ['title', 'Song'],
      ['asin', 'B1'],
    ),
  );

  expect(tags).toEqual({
    ...{
      artist: 'Id3 Artist',
      albumArtist: 'Id3 Band',
      track: 3,
      title: 'Song',
      trackTotal: undefined,
    },
    ids: { isrc: 'A1', asin: 'B1' },
  });
});
