import { t } from '../core/messages.ts';
import { languageOf } from '../ui/words.ts';
import type { SessionTrack } from './requests.ts';
import { isDrawnByServer } from './tracks.ts';

/** `German · Commentary · for the hard of hearing` */
export function trackName(track: SessionTrack, at: number): string {
  const { language, title, isForced, isHearingImpaired } = track;
  return [
    language === null || language === 'und' ? undefined : languageOf(language),
    title ?? (language === null ? t('player.track', { number: at + 1 }) : undefined),
    isForced ? t('player.forced') : undefined,
    isHearingImpaired ? t('player.hearingImpaired') : undefined,
    isDrawnByServer(track) ? t('player.drawn') : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}
