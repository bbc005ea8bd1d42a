import { describe, expect, test } from 'vitest';
import type { VideoRecipe } from '../../../plugin-api/index.ts';
import { RecipeRefused, type ConvertedStream } from './argument-parts.ts';
import {
  deviceSets,
  hardwareKinds,
  softwareEncoder,
  type DevicePlace,
  type HardwareKind,
  type UsedEncoder,
} from './picture-encoders.ts';
import { videoArguments } from './recipe-arguments.ts';
import { encoderTest } from './test-arguments.ts';

const places = [
  ...[
    '/dev/null',
    '/dev/dri/card0',
    '/dev/dri/renderD128',
    '/dev/dri/renderD129',
    '/dev/dri/by-path',
  ],
  ...['/dev/nvidia0', '/dev/nvidiactl', '/dev/nvidia-uvm', '/dev/nvidia-modeset'],
  ...['/dev/video10', '/dev/video11', '/dev/videoX'],
];

const film: ConvertedStream = { url: 'file:/in', container: 'matroska', ordinal: 0 };
const recipe: VideoRecipe = {
  ...{ codec: 'h264', height: 720, kbps: 4000 },
  ...{ toneMap: false, deinterlace: false, burn: null },
};
const work = {
  stretch: { from: 2_000_000, to: 6_000_000 },
  cuts: [2_000_000, 4_000_000],
  threads: 2,
  transfer: 'pq',
  burn: null,
} as const;

const encoderOf = (kind: HardwareKind): UsedEncoder => ({
  ...{ kind, devices: deviceSets(kind, places)[0] ?? [], codecs: ['h264'] },
});

/** All arguments of a picture, but those that are the same for all encoders. */
function argumentsOf(encoder: UsedEncoder, words: VideoRecipe = recipe): string {
  const args = videoArguments(film, words, { ...work, encoder });
  const opened = args.slice(args.indexOf('error') + 1, args.indexOf('-protocol_whitelist'));
  const filters = args[args.indexOf('-filter:v') + 1]?.split(',setsar=1,')[1] ?? '';
  const encoding = args.slice(args.indexOf('-c:v'), args.indexOf('-threads:v'));
  return [...opened, filters, ...encoding].join(' ');
}

describe('a picture', () => {
  test.each([
    [
      'vaapi',
      '-init_hw_device vaapi=card:/dev/dri/renderD128 -filter_hw_device card format=nv12,hwupload -c:v h264_vaapi -bf 0 -g 100000 -async_depth 2 -profile:v high',
    ],
    [
      'qsv',
      '-init_hw_device vaapi=render:/dev/dri/renderD128 -init_hw_device qsv=card@render -filter_hw_device card format=nv12,hwupload=extra_hw_frames=64 -c:v h264_qsv -preset veryfast -bf 0 -g 100000 -async_depth 2 -forced_idr 1 -look_ahead 0 -profile:v high',
    ],
    [
      'nvenc',
      'format=yuv420p -c:v h264_nvenc -preset p3 -rc vbr -bf 0 -g 100000 -forced-idr 1 -no-scenecut 1 -delay 0 -profile:v high',
    ],
    ['v4l2m2m', 'format=yuv420p -c:v h264_v4l2m2m -bf 0 -g 100000 -profile:v 100'],
  ] as const)('is encoded by %s with exactly these arguments', (kind, args) => {
    expect(argumentsOf(encoderOf(kind))).toBe(args);
  });

  test('is encoded on the processor with exactly these arguments', () => {
    expect(argumentsOf(softwareEncoder)).toBe(
      'format=yuv420p -c:v libx264 -preset veryfast -bf 0 -g 100000 -sc_threshold 0 -profile:v high -forced-idr 1 -rc-lookahead 10',
    );
    expect(argumentsOf(softwareEncoder, { ...recipe, codec: 'hevc' })).toContain(
      '-c:v libx265 -preset veryfast -bf 0 -g 100000 -sc_threshold 0 -tag:v hvc1',
    );
  });

  test('with subtitles in it goes to the device after they were drawn', () => {
    const burn = { width: 1280, height: 720, ordinal: 0 };
    const args = videoArguments(
      film,
      { ...recipe, burn: 3 },
      { ...work, burn, encoder: encoderOf('vaapi') },
    );

    const graph = args[args.indexOf('-filter_complex') + 1] ?? '';
    expect(graph.endsWith('overlay=eof_action=pass,format=nv12,hwupload[out]')).toBe(true);
  });

  test.each(hardwareKinds)('is tried on %s with the flags of a conversion', (kind) => {
    const tried = encoderTest(encoderOf(kind), 'h264').join(' ');
    const flags = argumentsOf(encoderOf(kind)).split('-c:v')[1] ?? '';

    expect(tried).toContain(`-c:v${flags}`);
    expect(tried).toContain('-frames:v 10');
    expect(tried.match(/-i /g)).toHaveLength(1);
  });

  test.each(['/etc/passwd', '/dev/dri/renderD128,x', '/dev/dri/../mem', ''])(
    'is not encoded on the device %j',
    (place) => {
      const encoder = { ...encoderOf('vaapi'), devices: [place as DevicePlace] };

      expect(() => argumentsOf(encoder)).toThrow(RecipeRefused);
    },
  );

  test('of a codec that the encoder does not make is refused', () => {
    expect(() => argumentsOf(encoderOf('v4l2m2m'), { ...recipe, codec: 'av1' })).toThrow(
      'There is no encoder for av1.',
    );
  });
});

test.each([
  ['vaapi', [['/dev/dri/renderD128'], ['/dev/dri/renderD129']]],
  ['qsv', [['/dev/dri/renderD128'], ['/dev/dri/renderD129']]],
  ['nvenc', [['/dev/nvidia0', '/dev/nvidiactl', '/dev/nvidia-uvm']]],
  ['v4l2m2m', [['/dev/video10', '/dev/video11']]],
] as const)('%s is tried on each of its devices, and no other', (kind, sets) => {
  expect(deviceSets(kind, places)).toEqual(sets);
  expect(deviceSets(kind, ['/dev/null', '/dev/nvidia0'])).toEqual([]);
});
