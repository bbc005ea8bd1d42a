/** Checks whether media can be converted: tries the transcoder in its cage. */
import type { Config } from '../../platform/config.ts';
import {
  openTranscoder,
  type NoTranscoder,
  type Transcoder,
} from '../../viewing/conversion/index.ts';
import { joinTexts, quoted, type Text, say } from '../../platform/text.ts';
import { good, hint, type Finding } from './finding.ts';

/** Finds ffmpeg and encodes something with it. */
export async function examineTranscoder({
  ffmpeg,
  transcoderCage,
  transcoderHardware: hardware,
  searchPath,
}: Pick<
  Config,
  'ffmpeg' | 'transcoderCage' | 'transcoderHardware' | 'searchPath'
>): Promise<Finding> {
  const mode = transcoderCage;
  return transcoderFinding(await openTranscoder({ ffmpeg, mode, searchPath, hardware }));
}

/** Without a transcoder the server plays what needs no conversion. */
export function transcoderFinding(found: Transcoder | NoTranscoder): Finding {
  const check = 'conversion';
  if (found.kind === 'missing')
    return hint(check, {
      what: say('doctor.mediaNotConvertedPlayersCannot', { why: found.why }),
      remedy: say('doctor.installFfmpeg51Later'),
    });
  const { version, cage, encoder, withoutHardware } = found;
  if (cage.tier === 'none')
    return hint(check, {
      what: say('doctor.ffmpegConvertsWithoutCageBecause', { version }),
      remedy: say('doctor.installBubblewrapForCage'),
    });
  const where: Text = cage.tier === 'bwrap' ? say('doctor.inCage') : say('doctor.inCageOfLandlock');
  if (withoutHardware !== null)
    return hint(check, {
      what: joinTexts([
        say('doctor.ffmpegEncodesButProcessorAlone', { version, where }),
        quoted(withoutHardware),
      ]),
      remedy: say('doctor.letUserServerOpenDevice'),
    });
  if (encoder.kind === 'software')
    return good(check, say('doctor.ffmpegEncodes', { version, where }));
  return good(
    check,
    say('doctor.ffmpegEncodesPictures', { version, where, encoder: encoder.kind }),
  );
}
