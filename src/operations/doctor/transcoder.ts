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
  searchPath,
}: Pick<Config, 'ffmpeg' | 'transcoderCage' | 'searchPath'>): Promise<Finding> {
  return transcoderFinding(await openTranscoder({ ffmpeg, mode: transcoderCage, searchPath }));
}

/** Without a transcoder the server plays what needs no conversion. */
export function transcoderFinding(found: Transcoder | NoTranscoder): Finding {
  const check = 'conversion';
  if (found.kind === 'missing')
    return hint(check, {
      what: `Media are not converted for players that cannot play them: ${found.why}`,
      remedy: 'Install ffmpeg 5.1 or later and bubblewrap, as docs/installing.md says.',
    });
  const { version, cage } = found;
  if (cage.tier === 'bwrap') return good(check, `ffmpeg ${version} encodes in its cage.`);
  return hint(check, {
    what: `ffmpeg ${version} converts without a cage, because of --transcoder-cage none.`,
    remedy: 'Install bubblewrap, allow user namespaces, and leave --transcoder-cage out.',
  });
}
