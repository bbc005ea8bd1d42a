import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loadFurther } from '../core/further.ts';
import { t } from '../core/messages.ts';
import { hasDownloads } from '../core/session.ts';
import { Icon } from '../ui/icon.tsx';
import { canKeep, coming, isInstalled, keepItem, keptOf, startDownloads } from './downloads.ts';
import { percentOf, refusalText } from './download-words.ts';
import { bytesHere, bytesOf } from './kept.ts';

/** The item that is kept once the service worker is there. */
const wish = 'keep';

/** Keeps an item on the device, says how far that is, and leads to the downloads. */
export default function KeepButton({ itemId }: { readonly itemId: string }) {
  const isBusy = useSignal(false);
  const problem = useSignal('');

  async function keep(): Promise<void> {
    isBusy.value = true;
    problem.value = '';
    await loadFurther();
    try {
      if (!canKeep()) problem.value = t('downloads.insecure');
      else if (isInstalled()) await keepItem(itemId);
      else {
        sessionStorage.setItem(wish, itemId);
        location.assign(`/install?to=${encodeURIComponent(location.pathname)}`);
      }
    } catch (error) {
      problem.value = refusalText(error);
    }
    isBusy.value = false;
  }
  useEffect(() => {
    if (canKeep() && hasDownloads()) void startDownloads();
    if (sessionStorage.getItem(wish) !== itemId) return;
    sessionStorage.removeItem(wish);
    if (canKeep() && isInstalled()) void keep();
  }, []);

  const found = keptOf(itemId);
  if (found !== undefined) {
    const now = coming.value;
    const here = bytesHere(found) + (now?.key === found.key ? now.bytes : 0);
    const share = here / Math.max(1, bytesOf(found));
    return (
      <a class="button" href="/downloads">
        <Icon name={found.state === 'ready' ? 'check' : 'download'} />
        {t('nav.downloads')}
        {found.state !== 'ready' && <span class="percent">{percentOf(share)}</span>}
      </a>
    );
  }
  return (
    <>
      <button
        type="button"
        class="button"
        aria-busy={isBusy.value}
        disabled={isBusy.value}
        onClick={() => void keep()}
      >
        <Icon name="download" />
        {t('action.keep')}
      </button>
      {problem.value !== '' && (
        <span class="keep-problem" role="alert">
          {problem.value}
        </span>
      )}
    </>
  );
}
