/** Odd pictures, through the plugin in an isolate as the server makes it. */
import webp from '@cwasm/webp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PictureFormat, PictureResult } from '../../plugin-api/index.ts';
import { startProbe, type SandboxedProbe } from '../../test/support/media/sandboxed-probe.ts';
import { makePng } from '../../test/support/pictures/made-png.ts';
import { oddPictures, type EncodedAreas } from '../../test/support/pictures/odd-pictures.ts';
import { sampleOf } from '../../test/support/run/nightly.ts';

let pictures: SandboxedProbe;
let areas: EncodedAreas;

beforeAll(async () => {
  pictures = await startProbe('pictures');
  const [webp, jpeg, avif] = await Promise.all([encoded('webp'), encoded('jpeg'), encoded('avif')]);
  areas = { webp, jpeg, avif };
});
afterAll(() => pictures.stop());

async function ask(bytes: Buffer, width = 1920, format: PictureFormat = 'webp') {
  const source = { uri: null, size: bytes.length, base64: bytes.toString('base64') };
  const reply = await pictures.plugin.call('pictures.make', { source, width, format }, 30_000);
  if (reply.kind !== 'returned') throw new Error(JSON.stringify(reply));
  return JSON.parse(String(reply.body)) as PictureResult;
}

async function encoded(format: PictureFormat): Promise<Buffer> {
  const made = await ask(makePng(), 1920, format);
  if (made.kind === 'failed') throw new Error(made.message);
  return Buffer.from(made.base64, 'base64');
}

/** The colours in the middle of the quarters of a WebP. */
function quartersOf(bytes: Buffer): readonly string[] {
  const { data, width, height } = webp.decode(bytes);
  const at = (x: number, y: number) => {
    const start = (Math.floor(height * y) * width + Math.floor(width * x)) * 4;
    const [red, green, blue] = [...data.subarray(start, start + 3)].map((part) => part > 150);
    if (red === green && green === blue) return red === true ? 'white' : 'black';
    return red === true ? 'red' : green === true ? 'lime' : 'blue';
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

describe('an odd picture is shown, or refused with a code', () => {
  test.each(sampleOf(oddPictures, 40).map((odd) => [odd.name, odd] as const))(
    '%s',
    async (_, odd) => {
      const result = await ask(odd.bytes(areas));

      if (typeof odd.shows === 'string') {
        expect(result).toMatchObject({ kind: 'failed', code: odd.shows });
        return;
      }
      if (result.kind === 'failed') throw new Error(`${result.code}: ${result.message}`);
      const { source, color, thumbhash, base64 } = result;
      const seen = quartersOf(Buffer.from(base64, 'base64'));
      const quarters = odd.shows.quarters
        .split(' ')
        .map((want, at) => (want === '?' ? '?' : seen[at]));
      expect({ size: `${source.width}x${source.height}`, quarters: quarters.join(' ') }).toEqual(
        odd.shows,
      );
      expect(color).toMatch(/^#[0-9a-f]{6}$/);
      expect(thumbhash).not.toBe('');
    },
  );
});
