/** In the usual layouts any title is read back as it was written. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIdentifier } from './identify-file.ts';

const readName = (libraryType: string, path: string): Readonly<Record<string, unknown>> => {
  const found = createIdentifier(libraryType, 2026)?.(path);
  return { title: found?.title, ...found?.metadata };
};

const words =
  'Lantern,Harbour,Ostrava,Müller,Fjord,Кот,Ébène,Quiet,Orchard,Zwölf,Łódź,Sakura,Ñandú';
const title = fc
  .array(fc.constantFrom(...words.split(',')), { minLength: 1, maxLength: 4 })
  .map((list) => list.join(' '));
const season = fc.integer({ min: 0, max: 40 });
const episode = fc.integer({ min: 1, max: 99 });
const year = fc.integer({ min: 1930, max: 2026 });
const two = (value: number): string => String(value).padStart(2, '0');
const dotted = (text: string): string => text.replaceAll(' ', '.');

interface Episode {
  readonly series: string;
  readonly season: number;
  readonly episode: number;
}

const ofEpisodes: readonly ((it: Episode) => string)[] = [
  (it) => `${it.series}/Season ${two(it.season)}/${it.series} - S${two(it.season)}E${two(it.episode)}.mkv`,
  (it) => `${it.series}/S${String(it.season)}/E${two(it.episode)}.mkv`,
  (it) => `${it.series}/Staffel ${String(it.season)}/Folge ${String(it.episode)}.mkv`,
  (it) => `${it.series}/Saison ${String(it.season)}/Épisode ${String(it.episode)}.avi`,
  (it) => `${it.series}/Сезон ${String(it.season)}/Серия ${String(it.episode)}.avi`,
  (it) => `${it.series} ${String(it.season)}x${two(it.episode)}.mkv`,
  (it) => `${dotted(it.series)}.S${two(it.season)}E${two(it.episode)}.1080p.WEB-DL.DDP5.1.H.264-NOVA.mkv`,
  (it) => `${it.series} - Season ${String(it.season)} Episode ${String(it.episode)}.mkv`,
  (it) => `[Nova] ${it.series} - S${two(it.season)}E${two(it.episode)} [1080p][1A2B3C4D].mkv`,
]; // oxfmt-ignore

const ofFilms: readonly ((title: string, year: number) => string)[] = [
  (name, when) => `${name} (${String(when)})/${name} (${String(when)}).mkv`,
  (name, when) => `${name} (${String(when)}) [1080p].mkv`,
  (name, when) => `${dotted(name)}.${String(when)}.1080p.BluRay.x264-NOVA.mkv`,
  (name, when) => `${name.replaceAll(' ', '_')}_${String(when)}_720p.mp4`,
  (name, when) => `${String(when)} - ${name}.avi`,
  (name, when) => `Films/${name} (${String(when)})/movie.mkv`,
  (name, when) => `${name} (${String(when)}) {imdb-tt0123456}/${name}.mkv`,
];

interface Track {
  readonly artist: string;
  readonly album: string;
  readonly track: number;
  readonly title: string;
}

const ofTracks: readonly ((it: Track) => string)[] = [
  (it) => `${it.artist}/${it.album}/${two(it.track)} ${it.title}.flac`,
  (it) => `${it.artist}/${it.album}/${two(it.track)} - ${it.title}.mp3`,
  (it) => `${it.artist} - ${it.album}/${two(it.track)}. ${it.title}.mp3`,
  (it) => `${it.artist}/1999 - ${it.album}/${two(it.track)} - ${it.title}.mp3`,
  (it) => `${it.artist}/${it.album} (1999) [FLAC]/CD1/${two(it.track)} - ${it.title}.flac`,
  (it) => `${it.artist}/${it.album}/${it.artist} - ${it.album} - ${two(it.track)} - ${it.title}.mp3`,
]; // oxfmt-ignore

describe('the usual layouts', () => {
  test('of series give the series, the season and the episode', () => {
    const it = fc.record({ series: title, season, episode });
    fc.assert(
      fc.property(it, fc.constantFrom(...ofEpisodes), (expected, layout) => {
        expect(readName('tv', layout(expected))).toMatchObject(expected);
      }),
    );
  });

  test('of films give the title and the year', () => {
    fc.assert(
      fc.property(title, year, fc.constantFrom(...ofFilms), (name, when, layout) => {
        expect(readName('movies', layout(name, when))).toMatchObject({ title: name, year: when });
      }),
    );
  });

  test('of music give artist, album, number and title', () => {
    const it = fc.record({ artist: title, album: title, track: episode, title });
    fc.assert(
      fc.property(it, fc.constantFrom(...ofTracks), (expected, layout) => {
        expect(readName('music', layout(expected))).toMatchObject(expected);
      }),
    );
  });
});
