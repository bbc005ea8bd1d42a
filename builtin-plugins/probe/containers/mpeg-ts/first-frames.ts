/** The values in the first frames of an elementary stream. */
import { findAdts } from '../../audio/adts.ts';
import { readAdtsFrame } from '../../../media-headers/codecs/aac.ts';
import { readDolbyFrame } from '../../../media-headers/codecs/dolby.ts';
import { readAvcSequence } from '../../../media-headers/codecs/h264.ts';
import { hasDynamicMetadata, readHevcSequence } from '../../../media-headers/codecs/hevc.ts';
import { readMpegAudioFrame } from '../../../media-headers/codecs/mpeg-audio.ts';
import { readMpegVideo } from '../../../media-headers/codecs/mpeg-video.ts';
import { unitsByStartCode } from '../../../media-headers/codecs/nal-units.ts';
import type { StreamDraft } from '../../media.ts';

/** A stream with invalid frames keeps the values of the tables. */
export function readFirstFrames(stream: StreamDraft, bytes: Uint8Array): Partial<StreamDraft> {
  try {
    const fromFrames = withoutUnknown(readFrames(stream.codec, bytes));
    return stream.hdr === undefined ? fromFrames : { ...fromFrames, hdr: stream.hdr };
  } catch {
    return {};
  }
}

function readFrames(codec: string, bytes: Uint8Array): Partial<StreamDraft> {
  switch (codec) {
    case 'h264':
      return readAvc(bytes);
    case 'hevc':
      return readHevc(bytes);
    case 'mpeg1video':
    case 'mpeg2video':
      return readMpegVideo(bytes) ?? {};
    case 'ac3':
    case 'eac3':
      return readDolbyFrame(bytes) ?? {};
    case 'aac': {
      const at = findAdts(bytes);
      const frame = at === undefined ? undefined : readAdtsFrame(bytes, at);
      return frame === undefined
        ? {}
        : { profile: frame.profile, channels: frame.channels, sampleRate: frame.sampleRate };
    }
    case 'mp2': {
      const at = bytes.indexOf(0xff);
      const frame = at < 0 ? undefined : readMpegAudioFrame(bytes, at);
      return frame === undefined
        ? {}
        : {
            codec: frame.codec,
            channels: frame.channels,
            sampleRate: frame.sampleRate,
            bitrate: frame.bitrate,
          };
    }
    default:
      return {};
  }
}

function readAvc(bytes: Uint8Array): Partial<StreamDraft> {
  const unit = unitsByStartCode(bytes).find((one) => ((one[0] ?? 0) & 0x1f) === 7);
  return unit === undefined ? {} : readAvcSequence(unit);
}

function readHevc(bytes: Uint8Array): Partial<StreamDraft> {
  const unit = unitsByStartCode(bytes).find((one) => (one[0] ?? 0) >> 1 === 33);
  if (unit === undefined) return {};
  const format = readHevcSequence(unit);
  const isDynamic = format.hdr === 'hdr10' && hasDynamicMetadata(bytes);
  return isDynamic ? { ...format, hdr: 'hdr10plus' } : format;
}

function withoutUnknown(format: Partial<StreamDraft>): Partial<StreamDraft> {
  return Object.fromEntries(Object.entries(format).filter(([, value]) => value !== undefined));
}
