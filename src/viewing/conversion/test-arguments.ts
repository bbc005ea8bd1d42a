/** Arguments that ask a transcoder what it is, and that try its cage. */
import type { VideoRecipe } from '../../../plugin-api/index.ts';
import { argumentsOf, quiet, RecipeRefused, type TranscoderArguments } from './argument-parts.ts';
import {
  encoderFlags,
  openingDevice,
  pictureEncoders,
  type UsedEncoder,
} from './picture-encoders.ts';

const questions = { version: '-version', encoders: '-encoders', filters: '-filters' };

/** Asks the transcoder what it is. */
export const question = (about: keyof typeof questions): TranscoderArguments =>
  argumentsOf(['-hide_banner', questions[about]]);

/** Encodes a little picture and sound, which the transcoder makes itself. */
export const selfTest = (): TranscoderArguments =>
  argumentsOf(
    quiet,
    ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=1'],
    ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'],
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
    ['-f', 'mp4', '-movflags', '+empty_moov+frag_keyframe', 'pipe:1'],
  );

/** Encodes ten pictures that the transcoder makes itself, with all that a conversion asks of the encoder. */
export const encoderTest = (
  encoder: UsedEncoder,
  codec: VideoRecipe['codec'],
): TranscoderArguments =>
  argumentsOf(
    quiet,
    openingDevice(encoder),
    ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-frames:v', '10'],
    ['-filter:v', pictureEncoders[encoder.kind].pixels.join(',')],
    encoderFlags(encoder, codec),
    ['-b:v', '1000k', '-maxrate', '1400k', '-bufsize', '2000k'],
    ['-force_key_frames', '0.2'],
    ['-f', 'mp4', '-movflags', '+empty_moov+default_base_moof+frag_keyframe', 'pipe:1'],
  );

/** Makes a film of two seconds, as the source of a test of speed. */
export const speedSource = (): TranscoderArguments =>
  argumentsOf(
    quiet,
    ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=24:duration=2'],
    ['-filter:v', 'noise=alls=12:allf=t,format=yuv420p'],
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '10M'],
    ['-f', 'matroska', 'pipe:1'],
  );

/** Tries to copy a file of the server by its name. In a cage it must fail. */
export function escapeTest(file: string): TranscoderArguments {
  if (!file.startsWith('/')) throw new RecipeRefused(`${file} is not an absolute path.`);
  return argumentsOf(
    quiet,
    ['-protocol_whitelist', 'file', '-f', 'data', '-i', `file:${file}`],
    ['-map', '0', '-c', 'copy', '-f', 'data', 'pipe:1'],
  );
}

/** Tries to open a socket. In a cage it must fail as not permitted. */
export const networkTest = (): TranscoderArguments =>
  argumentsOf(quiet, [
    ...['-protocol_whitelist', 'tcp', '-f', 'data', '-i', 'tcp://127.0.0.1:9?timeout=100000'],
    ...['-f', 'null', 'pipe:1'],
  ]);
