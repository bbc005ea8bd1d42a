import type { Resources } from '../core/api.ts';
import { loadFurther } from '../core/further.ts';
import { t } from '../core/messages.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { coming, keepAll, keptOf, pauseDownloads } from './downloads.ts';
import { refusalText } from './download-words.ts';
import { percentOf } from './percent.ts';
import { bytesHere, bytesOf, isComing, type Kept } from './kept.ts';
import { useKeep } from './use-keep.ts';

interface KeepAllProps {
  /** Names what they belong to: a season, an album. */
  readonly id: string;
  readonly items: readonly Resources['Item'][];
}

/** How much of these is here, from 0 to 1. */
function shareOf(all: readonly Kept[]): number {
  const now = coming.value;
  const came = all.some(({ key }) => key === now?.key) ? (now?.bytes ?? 0) : 0;
  const here = all.reduce((sum, one) => sum + bytesHere(one), came);
  return Math.min(
    1,
    here /
      Math.max(
        1,
        all.reduce((sum, one) => sum + bytesOf(one), 0),
      ),
  );
}

/**
 * Keeps all items of a season or an album on the device, says how many are here, and stops that. What it
 * says is read from the device, so it is as true after a reload.
 */
export default function KeepAllButton({ id, items }: KeepAllProps) {
  const { keep, isBusy, problem } = useKeep(id, () => keepAll(items));
  if (items.length === 0) return null;
  const found = items.flatMap((item) => keptOf(item.id) ?? []);
  const here = found.filter(({ state }) => state === 'ready').length;
  const failed = found.filter(({ state }) => state === 'failed').length;
  const isGoing = found.some(isComing);
  const count = items.length;
  const stop = (): void => {
    pauseDownloads(found.map(({ key }) => key)).catch(async (error: unknown) => {
      await loadFurther();
      problem.value = refusalText(error);
    });
  };
  return (
    <>
      {isGoing && (
        <Button onClick={stop}>
          <Icon name="pause" />
          {t('downloads.all.stop')}
        </Button>
      )}
      {!isGoing && here < count && (
        <Button aria-busy={isBusy.value} disabled={isBusy.value} act={keep}>
          <Icon name="download" />
          {found.length === 0 ? t('action.keep') : t('downloads.all.rest', { count: count - here })}
        </Button>
      )}
      {found.length > 0 && (
        <a class="button" href="/downloads">
          <Icon name={here === count ? 'check' : 'download'} />
          {here === count ? t('nav.downloads') : t('downloads.all.here', { here, count })}
          {isGoing && <span class="percent">{percentOf(shareOf(found))}</span>}
        </a>
      )}
      {problem.value !== '' && (
        <span class="keep-problem" role="alert">
          {problem.value}
        </span>
      )}
      {failed > 0 && problem.value === '' && (
        <span class="keep-problem">{t('downloads.all.failed', { count: failed })}</span>
      )}
    </>
  );
}
