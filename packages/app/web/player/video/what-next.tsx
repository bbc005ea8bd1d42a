import { useEffect } from 'preact/hooks';
import { t } from '../../core/messages.ts';
import { preferences } from '../../core/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { VideoFace } from './face.ts';
import { sleep } from './sleep.ts';
import { titleOf } from '../next-episode.ts';

/** Seconds before the end at which the next episode is offered. */
const offeredBefore = 15;

const skippable = ['intro', 'recap', 'credits'] as const;

/** A button that skips an opening, a recap or the credits; the profile may want it pressed by itself. */
export function SkipChapter({ face }: { readonly face: VideoFace }) {
  const { player, chapter } = face;
  const now = chapter.value;
  const role = skippable.find((one) => one === now?.role);
  const skips = preferences.value['skipIntro'] === true && role !== 'credits';
  useEffect(() => {
    if (now !== undefined && role !== undefined && skips && player.isPlaying.peek())
      player.seek(now.end);
  }, [now?.start, role]);
  if (now === undefined || role === undefined || skips) return null;
  return (
    <button type="button" class="button skip-chapter" onClick={() => player.seek(now.end)}>
      {t(`player.skip.${role}`)}
      <Icon name="next" />
    </button>
  );
}

/** The next episode, shortly before the end. */
export function NextCard({ face }: { readonly face: VideoFace }) {
  const { player, next, isNextRefused } = face;
  const left = player.duration.value - player.position.value;
  const item = next.value;
  const isOver = player.status.value === 'ended';
  const isNear = player.duration.value > offeredBefore * 2 && left <= offeredBefore;
  if (item === undefined || isNextRefused.value || !(isOver || isNear)) return null;
  const goesOn = preferences.value['autoplayNext'] !== false && sleep.value?.after !== 'title';
  return (
    <aside class="next-card" aria-label={t('player.nextEpisode')}>
      <p>
        {goesOn && !isOver
          ? t('player.nextIn', { seconds: Math.max(0, Math.round(left)) })
          : t('player.nextEpisode')}
      </p>
      <p class="title">
        <bdi>{titleOf(item)}</bdi>
      </p>
      <p class="buttons">
        <Button kind="primary" onClick={face.playNext}>
          <Icon name="play" />
          {t('player.playNow')}
        </Button>
        <Button act={() => (isNextRefused.value = true)}>{t('player.notNow')}</Button>
      </p>
    </aside>
  );
}
