/** Checks whether media can be converted: tries the transcoder in its cage. */
import type { Config } from '../../platform/config.ts';
import {
  openTranscoder,
  type NoTranscoder,
  type Transcoder,
} from '../../viewing/conversion/index.ts';
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
      what: `Media are not converted for players that cannot play them: ${found.why}`,
      remedy:
        'Install ffmpeg 5.1 or later, and bubblewrap or util-linux 2.41 or later, as docs/installing.md says.',
    });
  const { version, cage, encoder, withoutHardware } = found;
  const by = encoder.kind === 'software' ? '' : `, and pictures with ${encoder.kind}`;
  if (cage.tier === 'none')
    return hint(check, {
      what: `ffmpeg ${version} converts without a cage, because of --transcoder-cage none.`,
      remedy: 'Install bubblewrap, allow user namespaces, and leave --transcoder-cage out.',
    });
  const where = cage.tier === 'bwrap' ? 'in its cage' : 'in a cage of Landlock';
  if (withoutHardware !== null)
    return hint(check, {
      what: `ffmpeg ${version} encodes ${where}, but on the processor alone. ${withoutHardware}`,
      remedy:
        'Let the user of the server open the device (group render or video) and install its driver, or leave --transcoder-hardware out.',
    });
  return good(check, `ffmpeg ${version} encodes ${where}${by}.`);
}
