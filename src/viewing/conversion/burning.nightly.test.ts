import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import type { VideoRecipe } from '../../../plugin-api/index.ts';
import {
  cagedTranscoder,
  cageNeeded,
  machineCage,
  runCaged,
} from '../../../test/support/media/caged.ts';
import { keepFile, makeMedia } from '../../../test/support/media/media-files.ts';
import { filmWithPictures } from '../../../test/support/media/picture-subtitles.ts';
import { videoArguments, type PictureWork } from './recipe-arguments.ts';

const recipe: VideoRecipe = {
  ...{ codec: 'h264', height: 180, kbps: 800 },
  ...{ toneMap: false, deinterlace: false, burn: null },
};
const second = 1_000_000;

const converted = async (
  film: string,
  changes: Partial<VideoRecipe>,
  { from, to }: PictureWork['stretch'],
  burn: PictureWork['burn'] = null,
  container = 'matroska',
): Promise<string> => {
  const url = machineCage().inputUrl;
  const work = { stretch: { from, to }, cuts: [from], threads: 1, transfer: 'pq', burn } as const;
  const args = videoArguments({ url, container, ordinal: 0 }, { ...recipe, ...changes }, work);
  const { code, bytes, said } = await runCaged(machineCage(), args, film);
  expect([code, said]).toEqual([0, '']);
  return keepFile('mp4', bytes);
};

/** The mean brightness of a part of the picture, for each tenth of a second. */
function brightness(file: string, crop: string): readonly number[] {
  const args = ['-v', 'error', '-i', file, '-vf', `fps=10,crop=${crop},scale=1:1,format=gray`];
  return [...execFileSync('ffmpeg', [...args, '-f', 'rawvideo', '-'])];
}

describe.skipIf(cagedTranscoder.kind === 'missing')(`a converted picture ${cageNeeded}`, () => {
  const box = '60:20:130:130';

  test.each([
    ['PGS', 'pgs', 'matroska'],
    ['VobSub', 'vobsub', 'matroska'],
    ['DVB', 'dvb', 'mpegts'],
  ] as const)(
    'has subtitles of %s drawn into it while they are shown',
    async (_, kind, container) => {
      const burn = { width: 320, height: 180, ordinal: 0 };
      const film = await converted(
        filmWithPictures(kind),
        { burn: 1 },
        { from: 0, to: 10 * second },
        burn,
        container,
      );

      const shown = brightness(film, box);
      expect([10, 30, 50, 70, 90].map((tenth) => (shown[tenth] ?? 0) > 128)).toEqual([
        ...[false, true, false, true, false],
      ]);
    },
  );

  test('has a subtitle that began before the place where it starts', async () => {
    const burn = { width: 320, height: 180, ordinal: 0 };
    const film = await converted(
      filmWithPictures(),
      { burn: 1 },
      { from: 3 * second, to: 5 * second },
      burn,
    );

    const shown = brightness(film, box);
    expect([(shown[0] ?? 0) > 128, (shown.at(-1) ?? 255) > 128]).toEqual([true, false]);
  });

  testByNight.skipIf(cagedTranscoder.kind === 'ready' && !cagedTranscoder.mapsTones)(
    'of HDR10 has its grey in the middle and its white not blown out',
    async () => {
      // Code values of PQ for 18 % grey (26 nits), white of paper (203 nits), and 1000 nits.
      const patch = (value: number, x: number) =>
        `drawbox=x=${x}:y=0:w=100:h=180:t=fill:color=0x${value.toString(16).repeat(3)}`;
      const film = makeMedia('mkv', [
        ...['-f', 'lavfi', '-i', 'color=black:size=320x180:rate=25:duration=1'],
        ...[
          '-vf',
          `format=gbrp,${[patch(0x61, 10), patch(0x94, 110), patch(0xc0, 210)].join(',')}`,
        ],
        ...['-pix_fmt', 'yuv420p10le', '-c:v', 'libx265', '-x265-params'],
        'log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400',
      ]);
      const shown = await converted(film, { toneMap: true }, { from: 0, to: second });

      const [grey = 0, white = 0, bright = 0] = [40, 140, 240].map(
        (x) => brightness(shown, `40:100:${x}:40`)[4] ?? 0,
      );
      expect([grey > 60 && grey < 140, white > grey + 40, bright > white, white < 235]).toEqual([
        ...[true, true, true, true],
      ]);
    },
  );
});
