/**
 * The encoders of pictures, as data: what a row says is all that the server knows of an encoder. An
 * encoder of a device counts only after it has encoded something in the cage; a list of encoders says
 * only what ffmpeg was built with.
 */
import type { VideoRecipe } from '../../../plugin-api/index.ts';
import { RecipeRefused } from './argument-parts.ts';

/** Where a picture is encoded: on the processor, or by a device. */
export type EncoderKind = 'software' | HardwareKind;

/** The kinds of devices, in the order in which they are tried. */
export const hardwareKinds = ['nvenc', 'qsv', 'vaapi', 'v4l2m2m'] as const;

/** A kind of device. */
export type HardwareKind = (typeof hardwareKinds)[number];

type Codec = VideoRecipe['codec'];

/** What a row says of an encoder. */
export interface PictureEncoder {
  /** Its names in ffmpeg; `null` = it does not make that codec. */
  readonly names: Readonly<Record<Codec, string | null>>;
  /** Places of its devices, and how many of them are needed. */
  readonly devices: readonly RegExp[];
  /** Opens the device, before the input. */
  readonly opening: (device: string) => readonly string[];
  /** The last filters: how the encoder wants its pictures. */
  readonly pixels: readonly string[];
  readonly flags: readonly string[];
  readonly flagsOf: Readonly<Partial<Record<Codec, readonly string[]>>>;
  /** Bytes of address space of a run. */
  readonly memoryBytes: number;
}

const gibibyte = 1024 ** 3;
/** Drivers of graphics cards reserve address space for the whole memory of card and machine. */
const driverBytes = 1024 * gibibyte;

const software: PictureEncoder = {
  names: { h264: 'libx264', hevc: 'libx265', av1: null },
  devices: [],
  opening: () => [],
  pixels: ['format=yuv420p'],
  flags: ['-preset', 'veryfast', '-bf', '0', '-g', '100000', '-sc_threshold', '0'],
  flagsOf: {
    h264: ['-profile:v', 'high', '-forced-idr', '1', '-rc-lookahead', '10'],
    hevc: ['-tag:v', 'hvc1', '-x265-params', 'log-level=none'],
  },
  memoryBytes: 6 * gibibyte,
};

const renderNode = /^\/dev\/dri\/renderD(?:12[89]|1[3-9]\d)$/;

/** By kind. Keyframes stand only where they are asked for, and there are no B-frames. */
export const pictureEncoders: Readonly<Record<EncoderKind, PictureEncoder>> = {
  software,
  // Intel and AMD, by the interface of Mesa and of Intel's media driver.
  vaapi: {
    names: { h264: 'h264_vaapi', hevc: 'hevc_vaapi', av1: 'av1_vaapi' },
    devices: [renderNode],
    opening: (device) => ['-init_hw_device', `vaapi=card:${device}`, '-filter_hw_device', 'card'],
    pixels: ['format=nv12', 'hwupload'],
    flags: ['-bf', '0', '-g', '100000', '-async_depth', '2'],
    flagsOf: { h264: ['-profile:v', 'high'], hevc: ['-tag:v', 'hvc1'] },
    memoryBytes: driverBytes,
  },
  // Intel Quick Sync, over the same device.
  qsv: {
    names: { h264: 'h264_qsv', hevc: 'hevc_qsv', av1: 'av1_qsv' },
    devices: [renderNode],
    opening: (device) => [
      ...['-init_hw_device', `vaapi=render:${device}`, '-init_hw_device', 'qsv=card@render'],
      ...['-filter_hw_device', 'card'],
    ],
    pixels: ['format=nv12', 'hwupload=extra_hw_frames=64'],
    flags: [
      ...['-preset', 'veryfast', '-bf', '0', '-g', '100000', '-async_depth', '2'],
      ...['-forced_idr', '1', '-look_ahead', '0'],
    ],
    flagsOf: { h264: ['-profile:v', 'high'], hevc: ['-tag:v', 'hvc1'] },
    memoryBytes: driverBytes,
  },
  // Nvidia. It takes pictures from memory.
  nvenc: {
    names: { h264: 'h264_nvenc', hevc: 'hevc_nvenc', av1: 'av1_nvenc' },
    devices: [/^\/dev\/nvidia\d{1,2}$/, /^\/dev\/nvidiactl$/, /^\/dev\/nvidia-uvm$/],
    opening: () => [],
    pixels: ['format=yuv420p'],
    flags: [
      ...['-preset', 'p3', '-rc', 'vbr', '-bf', '0', '-g', '100000', '-forced-idr', '1'],
      ...['-no-scenecut', '1', '-delay', '0'],
    ],
    flagsOf: { h264: ['-profile:v', 'high'], hevc: ['-tag:v', 'hvc1'] },
    memoryBytes: driverBytes,
  },
  // Raspberry Pi and other small machines.
  v4l2m2m: {
    names: { h264: 'h264_v4l2m2m', hevc: 'hevc_v4l2m2m', av1: null },
    devices: [/^\/dev\/video\d{1,3}$/],
    opening: () => [],
    pixels: ['format=yuv420p'],
    flags: ['-bf', '0', '-g', '100000'],
    // High by its number: the encoder knows no names.
    flagsOf: { h264: ['-profile:v', '100'], hevc: ['-tag:v', 'hvc1'] },
    memoryBytes: driverBytes,
  },
};

declare const checked: unique symbol;

/** The place of a device that a row of the table names. */
export type DevicePlace = string & { readonly [checked]: true };

/** An encoder with the devices that it needs. */
export interface UsedEncoder {
  readonly kind: EncoderKind;
  readonly devices: readonly DevicePlace[];
  /** The codecs that it has made in the cage. */
  readonly codecs: readonly Codec[];
}

/** The encoder that needs no device. */
export const softwareEncoder: UsedEncoder = {
  kind: 'software',
  devices: [],
  codecs: ['h264', 'hevc'],
};

/** All sets of devices with which an encoder may work, of the places that there are. */
export function deviceSets(
  kind: HardwareKind,
  places: readonly string[],
): readonly (readonly DevicePlace[])[] {
  const [first, ...others] = pictureEncoders[kind].devices;
  const matching = (form: RegExp | undefined): readonly DevicePlace[] =>
    places.filter((place): place is DevicePlace => form?.test(place) === true).toSorted();
  const rest = others.map(matching);
  if (rest.some((found) => found.length === 0)) return [];
  // V4L2 tries each video device by itself.
  if (kind === 'v4l2m2m') return [matching(first)].filter((all) => all.length > 0);
  return matching(first).map((device) => [device, ...rest.flat()]);
}

/** Its name for a codec. */
export function encoderName({ kind }: UsedEncoder, codec: unknown): string {
  const { names } = pictureEncoders[kind];
  const isCodec = (word: unknown): word is Codec =>
    typeof word === 'string' && Object.hasOwn(names, word);
  if (!isCodec(codec))
    throw new RecipeRefused(`codec must be one of ${Object.keys(names).join(', ')}.`);
  const name = names[codec];
  if (name === null) throw new RecipeRefused(`There is no encoder for ${codec}.`);
  return name;
}

/** Opens its device, before the input. */
export function openingDevice({ kind, devices }: UsedEncoder): readonly string[] {
  const { devices: forms, opening } = pictureEncoders[kind];
  const [form] = forms;
  const [device] = devices;
  if (form === undefined) return [];
  if (device === undefined || !form.test(device))
    throw new RecipeRefused(`The device of ${kind} must be one of its table.`);
  return opening(device);
}

/** Its flags for a codec. */
export const encoderFlags = (encoder: UsedEncoder, codec: Codec): readonly string[] => [
  ...['-c:v', encoderName(encoder, codec)],
  ...pictureEncoders[encoder.kind].flags,
  ...(pictureEncoders[encoder.kind].flagsOf[codec] ?? []),
];
