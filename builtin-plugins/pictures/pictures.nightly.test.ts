/** The plugin in an isolate as the server makes it, over pictures that ffmpeg made. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PictureFormat, PictureResult } from '../../plugin-api/index.ts';
import { hasFfmpeg, makeMedia } from '../../test/support/media/media-files.ts';
import { startProbe, type SandboxedProbe } from '../../test/support/media/sandboxed-probe.ts';
import { rounds, sampleOf } from '../../test/support/run/nightly.ts';
import {
  makePng,
  pngChunk,
  pngHeader,
  pngStart,
  type PngForm,
} from '../../test/support/pictures/made-png.ts';
import { bitsPerPixel } from './decoding/png-colours.ts';

let pictures: SandboxedProbe;

beforeAll(async () => {
  pictures = await startProbe('pictures');
});
afterAll(async () => {
  await pictures.stop();
});

type Made = Extract<PictureResult, { kind: 'made' }>;

const ask = (bytes: Buffer, width?: number, format?: PictureFormat): Promise<PictureResult> =>
  askOf(pictures, bytes, width, format);

async function askOf(
  { plugin }: SandboxedProbe,
  bytes: Buffer,
  width = 160,
  format: PictureFormat = 'webp',
) {
  const source = { uri: null, size: bytes.length, base64: bytes.toString('base64') };
  const reply = await plugin.call('pictures.make', { source, width, format }, 20_000);
  if (reply.kind !== 'returned') throw new Error(JSON.stringify(reply));
  return JSON.parse(String(reply.body)) as PictureResult;
}

async function make(bytes: Buffer, width?: number, format?: PictureFormat): Promise<Made> {
  const result = await ask(bytes, width, format);
  if (result.kind === 'failed') throw new Error(`${result.code}: ${result.message}`);
  return result;
}

/** A picture with four areas: red, green / blue, white. */
function draw(name: string, size = '600x400', ...args: string[]): Buffer {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const half = `${width / 2}x${height / 2}`;
  const area = (color: string) => ['-f', 'lavfi', '-i', `color=${color}:size=${half}`];
  const areas = ['red', 'lime', 'blue', 'white'].flatMap(area);
  const join = '[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack';
  const target = ['-filter_complex', join, '-frames:v', '1', ...args];
  return readFileSync(makeMedia(path.extname(name).slice(1), [...areas, ...target]));
}

/** The colours in the middle of the four areas of what was made, decoded by ffmpeg. */
function corners({ base64, width, height }: Made): readonly string[] {
  const raw = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', 'pipe:0', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'],
    { input: Buffer.from(base64, 'base64') },
  );
  const at = (x: number, y: number) => {
    const start = (Math.floor(height * y) * width + Math.floor(width * x)) * 3;
    return nameOf([...raw.subarray(start, start + 3)]);
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

const nameOf = ([red = 0, green = 0, blue = 0]: readonly number[]): string => {
  const [isRed, isGreen, isBlue] = [red > 150, green > 150, blue > 150];
  if (isRed && isGreen && isBlue) return 'white';
  return isRed ? 'red' : isGreen ? 'lime' : isBlue ? 'blue' : 'black';
};

const upright = ['red', 'lime', 'blue', 'white'];

/** A segment APP1 with this orientation, behind the start of the JPEG. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from(
    `4d4d002a0000000800010112000300000001${orientation.toString(16).padStart(4, '0')}000000000000`,
    'hex',
  );
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe1);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

describe.runIf(hasFfmpeg)('making a picture', () => {
  test.each([
    ['JPEG', 'a.jpg', []],
    ['progressive grey JPEG', 'b.jpg', ['-huffman', 'optimal']],
    ['PNG', 'a.png', []],
    ['PNG with 16 bits', 'b.png', ['-pix_fmt', 'rgba64be']],
    ['PNG with a palette', 'c.png', ['-pix_fmt', 'pal8']],
    ['WebP', 'a.webp', ['-c:v', 'libwebp']],
    ['lossless WebP', 'b.webp', ['-c:v', 'libwebp', '-lossless', '1']],
    ['GIF', 'a.gif', []],
    ['AVIF', 'a.avif', ['-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '8']],
  ])('of a %s', async (_name, file, args) => {
    const made = await make(draw(file, '600x400', ...args));

    expect(made).toMatchObject({ source: { width: 600, height: 400 }, width: 160, height: 107 });
    expect(corners(made)).toEqual(upright);
  });

  test.each(['webp', 'jpeg', 'avif'] as const)('as %s', async (format) => {
    const made = await make(draw('out.png'), 320, format);

    expect([made.width, made.height]).toEqual([320, 213]);
    expect(corners(made)).toEqual(upright);
  });

  test('keeps the size of a picture that is narrower than asked', async () => {
    const made = await make(draw('small.jpg', '100x60'), 640);

    expect([made.width, made.height]).toEqual([100, 60]);
  });

  test('names the mean colour, and gives a blurred copy in few bytes', async () => {
    const teal = ['-f', 'lavfi', '-i', 'color=0x208080:size=300x300', '-frames:v', '1'];
    const file = makeMedia('png', teal);

    const { color, thumbhash } = await make(readFileSync(file));

    expect(color).toMatch(/^#[12][0-9a-f](7|8)[0-9a-f](7|8)[0-9a-f]$/);
    expect(Buffer.from(thumbhash, 'base64').length).toBeLessThanOrEqual(25);
  });

  const orientations: readonly (readonly [number, readonly string[]])[] = [
    [1, ['red', 'lime', 'blue', 'white']],
    [2, ['lime', 'red', 'white', 'blue']],
    [3, ['white', 'blue', 'lime', 'red']],
    [4, ['blue', 'white', 'red', 'lime']],
    [5, ['red', 'blue', 'lime', 'white']],
    [6, ['blue', 'red', 'white', 'lime']],
    [7, ['white', 'lime', 'blue', 'red']],
    [8, ['lime', 'white', 'red', 'blue']],
  ];
  test.each(sampleOf(orientations, 4))(
    'turns a photo with the EXIF orientation %i',
    async (orientation, colours) => {
      const made = await make(withOrientation(draw('turn.jpg'), orientation));

      expect(corners(made)).toEqual(colours);
      expect(made.width > made.height).toBe(orientation < 5 ? true : made.width > made.height);
      expect(made.source).toEqual(
        orientation < 5 ? { width: 600, height: 400 } : { width: 400, height: 600 },
      );
    },
  );

  test('gives what a cut picture has, if that is more than half', async () => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=800x800', '-frames:v', '1'];
    const [jpeg, png] = ['jpg', 'png'].map((kind) => readFileSync(makeMedia(kind, source))) as [
      Buffer,
      Buffer,
    ];

    const [most, least] = [0.8, 0.2].map((part) => jpeg.subarray(0, jpeg.length * part));

    expect((await make(most ?? jpeg)).height).toBe(160);
    expect(await ask(least ?? jpeg)).toMatchObject({ kind: 'failed', code: 'truncated' });
    expect((await make(png.subarray(0, png.length - 20))).height).toBe(160);
    expect(await ask(png.subarray(0, 60))).toMatchObject({ kind: 'failed', code: 'truncated' });
  });
});

describe('a hostile picture', () => {
  const flat = (width: number, height: number, form: PngForm, bytes: number) =>
    Buffer.concat([
      pngStart,
      pngHeader(width, height, form),
      pngChunk('IDAT', deflateSync(Buffer.alloc(bytes), { level: 6 })),
    ]);

  test.each(
    sampleOf(
      [
        ['100 megapixels of one bit', 9999, 9999, { colour: 0, depth: 1 }, 'made'],
        ['300 MB', 9999, 9999, { colour: 2 }, 'made'],
        ['800 MB', 30_000, 3333, { depth: 16 }, 'failed'],
      ] as const,
      1,
    ),
  )('that unpacks to %s takes at most 64 MiB', async (_name, width, height, form, kind) => {
    const bits = bitsPerPixel({ colour: 6, depth: 8, ...form });
    const bomb = flat(
      width,
      height,
      form,
      Math.ceil((width * bits) / 8 + 1) * height + 10 * height,
    );
    const fresh = await startProbe('pictures');
    onTestFinished(() => fresh.stop());
    const small = makePng();
    const before = (await askOf(fresh, small), fresh.peakBytes());

    const result = await askOf(fresh, bomb);

    expect(result.kind).toBe(kind);
    expect(fresh.peakBytes() - before).toBeLessThan(64 * 1024 ** 2);
  });

  test.runIf(hasFfmpeg)('that repeats a scan a thousand times has an answer', async () => {
    const { base64 } = await make(draw('scans.png', '2000x2000'), 1920, 'jpeg');
    const jpeg = Buffer.from(base64, 'base64');
    const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
    const scan = jpeg.subarray(last, jpeg.length - 2);
    const scans = Buffer.concat(Array.from({ length: 1000 }, () => scan));

    const bomb = Buffer.concat([jpeg.subarray(0, jpeg.length - 2), scans, jpeg.subarray(-2)]);

    expect(await ask(bomb)).toMatchObject({ kind: 'failed', code: 'over-budget' });
  });

  test.runIf(hasFfmpeg)('with damaged bytes never stops the plugin', async () => {
    const sources = [draw('fuzz.jpg'), draw('fuzz.png'), draw('fuzz.webp'), draw('fuzz.gif')];
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (const source of sources) {
      for (let round = 0; round < rounds(8, 25); round++) {
        const bytes = Buffer.from(source);
        for (let hit = 0; hit < 8; hit++) {
          bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
        }
        expect((await ask(bytes)).kind).toMatch(/^(made|failed)$/);
      }
    }
  });
});
