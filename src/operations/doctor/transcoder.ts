/** Checks whether media can be converted: tries the transcoder in its cage. */
import type { Config } from '../../platform/config.ts';
import {
  openTranscoder,
  type NoTranscoder,
  type Transcoder,
} from '../../viewing/conversion/index.ts';
import { joinTexts, quoted, type Text } from '../../platform/text.ts';
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
      what: {
        english: `Media are not converted for players that cannot play them: ${found.why}`,
        german: `Medien werden nicht umgewandelt für Geräte, die sie nicht abspielen können: ${found.why}`,
      },
      remedy: {
        english:
          'Install ffmpeg 5.1 or later, and bubblewrap or util-linux 2.41 or later, as docs/installing.md says.',
        german:
          'Installieren Sie ffmpeg 5.1 oder später, und bubblewrap oder util-linux 2.41 oder später, wie es docs/installing.md sagt.',
      },
    });
  const { version, cage, encoder, withoutHardware } = found;
  if (cage.tier === 'none')
    return hint(check, {
      what: {
        english: `ffmpeg ${version} converts without a cage, because of --transcoder-cage none.`,
        german: `ffmpeg ${version} wandelt ohne Käfig um, wegen --transcoder-cage none.`,
      },
      remedy: {
        english: 'Install bubblewrap, allow user namespaces, and leave --transcoder-cage out.',
        german:
          'Installieren Sie bubblewrap, erlauben Sie Namespaces für Benutzer, und lassen Sie --transcoder-cage weg.',
      },
    });
  const where: Text =
    cage.tier === 'bwrap'
      ? { english: 'in its cage', german: 'in seinem Käfig' }
      : { english: 'in a cage of Landlock', german: 'in einem Käfig von Landlock' };
  if (withoutHardware !== null)
    return hint(check, {
      what: joinTexts([
        {
          english: `ffmpeg ${version} encodes ${where.english}, but on the processor alone.`,
          german: `ffmpeg ${version} kodiert ${where.german}, aber nur mit dem Prozessor.`,
        },
        quoted(withoutHardware),
      ]),
      remedy: {
        english:
          'Let the user of the server open the device (group render or video) and install its driver, or leave --transcoder-hardware out.',
        german:
          'Lassen Sie den Benutzer des Servers das Gerät öffnen (Gruppe render oder video) und installieren Sie seinen Treiber, oder lassen Sie --transcoder-hardware weg.',
      },
    });
  if (encoder.kind === 'software')
    return good(check, {
      english: `ffmpeg ${version} encodes ${where.english}.`,
      german: `ffmpeg ${version} kodiert ${where.german}.`,
    });
  return good(check, {
    english: `ffmpeg ${version} encodes ${where.english}, and pictures with ${encoder.kind}.`,
    german: `ffmpeg ${version} kodiert ${where.german}, und Bilder mit ${encoder.kind}.`,
  });
}
