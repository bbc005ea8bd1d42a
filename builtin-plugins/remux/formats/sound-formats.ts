/** Formats of sound, from the configuration that containers keep for the codec. */
import { u16le, u32le, u8 } from '../../media-headers/bytes/numbers.ts';
import { readAacConfiguration } from '../../media-headers/codecs/aac.ts';
import { box, numbers } from '../fmp4/boxes.ts';
import { soundEntry, streamDescription } from './entries.ts';
import { aacSilence, mp3Silence, opusSilence } from './silence.ts';
import type { FormatAbout, SoundShape, TrackFormat } from './track-format.ts';

function aboutOf({ channels, sampleRate }: SoundShape): FormatAbout {
  return { ...(channels > 0 && { channels }), ...(sampleRate > 0 && { sampleRate }) };
}

/** With SBR and parametric stereo more is played than the container says. */
function playedShape(configuration: Uint8Array): Partial<SoundShape> {
  try {
    const { channels, sampleRate } = readAacConfiguration(configuration);
    return { ...(channels !== undefined && { channels }), ...(sampleRate && { sampleRate }) };
  } catch {
    return {};
  }
}

function silenceOf(configuration: Uint8Array): TrackFormat['silence'] {
  try {
    return aacSilence(configuration);
  } catch {
    return undefined;
  }
}

/** AAC by its AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
export function aacFormat(configuration: Uint8Array, shape: SoundShape): TrackFormat {
  const first = u8(configuration, 0);
  const long = 32 + (((first & 7) << 3) | ((configuration[1] ?? 0) >> 5));
  const object = first >> 3 === 31 ? long : first >> 3;
  return {
    codecName: 'aac',
    codec: `mp4a.40.${object}`,
    entry: soundEntry('mp4a', shape, streamDescription(0x40, configuration)),
    about: aboutOf({ ...shape, ...playedShape(configuration) }),
    silence: silenceOf(configuration),
  };
}

/** MPEG audio, layer 3: sent as it is, since browsers do not play it in MP4. */
export function mp3Format(shape: SoundShape): TrackFormat {
  return {
    codecName: 'mp3',
    codec: 'mp3',
    mimeType: 'audio/mpeg',
    silence: mp3Silence(shape),
    entry: soundEntry('mp4a', shape, streamDescription(0x6b, undefined)),
    about: aboutOf(shape),
  };
}

/** AC-3 by its `dac3`. */
export const ac3Format = (configuration: Uint8Array, shape: SoundShape): TrackFormat => ({
  codecName: 'ac3',
  codec: 'ac-3',
  entry: soundEntry('ac-3', shape, box('dac3', configuration)),
  about: aboutOf(shape),
});

/** E-AC-3 by its `dec3`. */
export const eac3Format = (configuration: Uint8Array, shape: SoundShape): TrackFormat => ({
  codecName: 'eac3',
  codec: 'ec-3',
  entry: soundEntry('ec-3', shape, box('dec3', configuration)),
  about: aboutOf(shape),
});

/** DTS by its `ddts`. */
export const dtsFormat = (
  name: string,
  configuration: Uint8Array,
  shape: SoundShape,
): TrackFormat => ({
  codecName: 'dts',
  codec: name,
  entry: soundEntry(name, shape, box('ddts', configuration)),
  about: aboutOf(shape),
});

/** Opus by its `dOps`. */
export const opusFormat = (configuration: Uint8Array): TrackFormat => ({
  codecName: 'opus',
  codec: 'opus',
  entry: soundEntry(
    'Opus',
    { channels: u8(configuration, 1), sampleRate: 48_000 },
    box('dOps', configuration),
  ),
  about: { channels: u8(configuration, 1), sampleRate: 48_000 },
  silence: opusSilence(configuration),
});

/** `dOps` of an Opus head (RFC 7845, 5.1), whose numbers are little endian. */
export function opusConfiguration(head: Uint8Array): Uint8Array {
  const gain = u16le(head, 16);
  const made = [
    numbers(1, 0, u8(head, 9)),
    numbers(2, u16le(head, 10)),
    numbers(4, u32le(head, 12)),
    numbers(2, gain),
    head.subarray(18),
  ];
  return Uint8Array.from(made.flatMap((part) => Array.from(part)));
}

/** FLAC by its `dfLa`, including its version and flags. */
export const flacFormat = (configuration: Uint8Array, shape: SoundShape): TrackFormat => ({
  codecName: 'flac',
  codec: 'fLaC',
  entry: soundEntry('fLaC', shape, box('dfLa', configuration)),
  about: aboutOf(shape),
});

/** ALAC by its own box, including its version and flags. */
export const alacFormat = (configuration: Uint8Array, shape: SoundShape): TrackFormat => ({
  codecName: 'alac',
  codec: 'alac',
  entry: soundEntry('alac', shape, box('alac', configuration)),
  about: aboutOf(shape),
});
