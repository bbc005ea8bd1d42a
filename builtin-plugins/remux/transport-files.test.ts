import { describe, expect, test } from 'vitest';
import { bars, hasFfmpeg, makeMedia, tone } from '../../test/support/media/media-files.ts';
import { decodedIn, faultsIn, remux } from '../../test/support/media/remuxed.ts';
import { differences, seenSegments } from '../../test/support/media/seen-segments.ts';
import { sampleOf } from '../../test/support/run/nightly.ts';

const yuv = ['-pix_fmt', 'yuv420p'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', ...yuv, '-g', '24', '-bf', '2'];
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', ...yuv];
const closed = [...hevc, '-x265-params', 'log-level=none:keyint=24:open-gop=0'];
const sources = [...bars(8), ...tone(8)];

const files: readonly (readonly [name: string, extension: string, args: readonly string[]])[] = [
  ['of H.264 and AAC', 'ts', [...sources, ...h264, '-c:a', 'aac', '-shortest']],
  ['of H.265 and AC-3', 'ts', [...sources, ...closed, '-c:a', 'ac3', '-shortest']],
  ['of H.264 and E-AC-3', 'ts', [...sources, ...h264, '-c:a', 'eac3', '-shortest']],
  ['with packets of 192 bytes', 'm2ts', [...sources, ...h264, '-c:a', 'ac3', '-shortest']],
];

describe.skipIf(!hasFfmpeg)('the segments of a transport stream (needs ffmpeg)', () => {
  test.each(sampleOf(files, 1))(
    '%s show and sound as the source does',
    async (_, extension, args) => {
      const file = makeMedia(extension, args);
      const media = await remux(file);

      expect(media.index.cuts.map((cut) => Math.round(cut / 1e6))).toEqual([0, 1, 2, 3, 5, 7]);
      for (const track of media.index.tracks) {
        const made = await media.whole(track);
        expect(track.canCopy).toBe(true);
        expect(decodedIn(made)).toEqual(decodedIn(file, String(track.stream), extension));
        expect(faultsIn(made)).toBe('');
        const seen = differences(await seenSegments(media, track));
        expect(seen.gap).toBeLessThan(0.0011);
        expect(seen.length).toBeLessThan(track.kind === 'video' ? 0.001 : 0.032 + 0.013);
      }
    },
  );
});
