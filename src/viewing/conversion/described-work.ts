/** What is converted, in the terms of conversion: names of what is made, arguments, assembly. */
import { createHash } from 'node:crypto';
import type { MediaStream, VideoRecipe } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { ConversionWork, PlayedFile } from '../transcoding/index.ts';
import { pictureAssembler, pictureSlack, soundAssembler, type Assembler } from './assembler.ts';
import { RecipeRefused, type InputUrl, type TranscoderArguments } from './argument-parts.ts';
import { softwareEncoder, type UsedEncoder } from './picture-encoders.ts';
import {
  audioArguments,
  soundEncoders,
  soundRate,
  videoArguments,
  type BurnWork,
} from './recipe-arguments.ts';
import { endOf, segmentName, timelineOf, type Timeline } from './timeline.ts';

export interface Machine {
  readonly url: InputUrl;
  readonly threads: number;
  readonly mapsTones: boolean;
  /** Microseconds that are read before a picture, at least. */
  readonly lead: number;
}

export interface DescribedWork {
  /** The same for the same content, track and recipe. */
  readonly key: string;
  readonly kind: 'video' | 'audio';
  readonly file: PlayedFile;
  /** Of a picture. */
  readonly picture: { readonly recipe: VideoRecipe; readonly sourceHeight: number } | null;
  /** What encodes it, where it is a picture. */
  readonly encoder: UsedEncoder;
  readonly timeline: Timeline;
  readonly initKey: string;
  readonly partKey: (n: number) => string;
  readonly nameOf: (n: number) => string;
  /** An entity tag. */
  readonly tag: (name: string) => string;
  readonly assembler: (from: number, until: number) => Assembler;
  /** Throws `transcode_failed` for what cannot be said in arguments. */
  readonly args: (from: number, until: number, machine: Machine) => TranscoderArguments;
}

/** Part of each name: what was made by other arguments is not used. */
const version = 3;

const sourceHeightOf = ({ streams }: PlayedFile, stream: number): number =>
  streams.find(({ index }) => index === stream)?.height ?? 0;

export function describeWork(
  work: ConversionWork,
  encoder: UsedEncoder = softwareEncoder,
): DescribedWork {
  const { file, stream, recipe } = work;
  const timeline = timelineOf(work);
  const words = recipe.kind === 'video' ? recipe.video : recipe.audio;
  const key = JSON.stringify([
    ...[version, file.contentKey, file.container, stream, recipe.kind],
    // Segments of one encoder do not fit the init segment of another.
    ...(encoder.kind === 'software' ? [] : [encoder.kind]),
    ...Object.entries(words).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
  const short = createHash('sha256').update(key).digest('base64url').slice(0, 22);
  return {
    key,
    kind: recipe.kind,
    file,
    encoder,
    timeline,
    picture:
      recipe.kind === 'video'
        ? { recipe: recipe.video, sourceHeight: sourceHeightOf(file, stream) }
        : null,
    initKey: `${key} init`,
    nameOf: (n) => segmentName(timeline, n),
    partKey: (n) => `${key} ${segmentName(timeline, n)}`,
    tag: (name) => `${short}-${name}`,
    assembler: (from, until) => {
      const span = { timeline, from, until };
      if (recipe.kind === 'video') return pictureAssembler(span);
      return soundAssembler(span, soundRate, soundEncoders[recipe.audio.codec].frame);
    },
    args: (from, until, machine) => {
      try {
        return argumentsOf(work, { timeline, from, until }, { ...machine, encoder });
      } catch (error) {
        if (!(error instanceof RecipeRefused)) throw error;
        throw new AppError('transcode_failed', { why: error.message });
      }
    },
  };
}

/** Microseconds of sound after the last segment of a head, so that its last packet is whole. */
const tail = 100_000;

function argumentsOf(
  { file, stream, recipe }: ConversionWork,
  { timeline, from, until }: { timeline: Timeline; from: number; until: number },
  { url, threads, mapsTones, lead, encoder }: Machine & { readonly encoder: UsedEncoder },
): TranscoderArguments {
  const ofKind = file.streams.filter(({ kind }) => kind === recipe.kind);
  const ordinal = ofKind.findIndex(({ index }) => index === stream);
  const source = { url, container: file.container, ordinal };
  const end = endOf(timeline, until - 1);
  const isLast = until === timeline.starts.length;
  if (recipe.kind === 'audio') {
    // One segment before, so that the decoder and the encoder are in full swing.
    const lead = timeline.starts[Math.max(0, from - 1)] ?? 0;
    return audioArguments(source, recipe.audio, { from: lead, to: isLast ? end : end + tail });
  }
  if (recipe.video.toneMap && !mapsTones)
    throw new RecipeRefused(
      'This ffmpeg cannot show HDR on a screen without it (zscale, tonemap).',
    );
  const cuts = timeline.starts.slice(from, until).map((start) => Math.max(0, start - pictureSlack));
  return videoArguments(source, recipe.video, {
    stretch: { from: cuts[0] ?? 0, to: isLast ? end : end - pictureSlack },
    cuts,
    threads,
    transfer: ofKind[ordinal]?.hdr === 'hlg' ? 'hlg' : 'pq',
    burn: burnOf(file, recipe.video, ofKind[ordinal]),
    encoder,
    lead,
  });
}

function burnOf(
  { streams }: PlayedFile,
  { burn, height: most }: VideoRecipe,
  picture: MediaStream | undefined,
): BurnWork | null {
  const subtitles = streams.filter(({ kind }) => kind === 'subtitle');
  const ordinal = subtitles.findIndex(({ index }) => index === burn);
  if (ordinal === -1) return null;
  const { width: wide = 1920, height: high = 1080 } = picture ?? {};
  const height = even(Math.min(most, high));
  return { ordinal, height, width: even((height * wide) / high) };
}

const even = (pixels: number): number => Math.max(16, Math.floor(pixels / 2) * 2);
