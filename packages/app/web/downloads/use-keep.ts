/** Keeps something on the device from a button; the first time, the app comes there before it. */
import { useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loadFurther } from '../core/further.ts';
import { t } from '../core/messages.ts';
import { hasDownloads } from '../core/session.ts';
import { canKeep, isInstalled, startDownloads } from './downloads.ts';
import { refusalText } from './download-words.ts';

/** What is kept once the service worker is there. */
const wish = 'keep';

/** A button that keeps something. */
export interface Keeping {
  readonly keep: () => Promise<void>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why it is not kept, in words; empty = nothing was wrong. */
  readonly problem: Signal<string>;
}

/** `id` names what `work` keeps; the page of this address asks for it again when it comes back. */
export function useKeep(id: string, work: () => Promise<void>): Keeping {
  const isBusy = useSignal(false);
  const problem = useSignal('');

  async function keep(): Promise<void> {
    isBusy.value = true;
    problem.value = '';
    await loadFurther();
    try {
      if (!canKeep()) problem.value = t('downloads.insecure');
      else if (isInstalled()) await work();
      else {
        sessionStorage.setItem(wish, id);
        const { pathname, search } = location;
        location.assign(`/install?to=${encodeURIComponent(pathname + search)}`);
      }
    } catch (error) {
      problem.value = refusalText(error);
    }
    isBusy.value = false;
  }
  useEffect(() => {
    if (canKeep() && hasDownloads()) void startDownloads();
    if (sessionStorage.getItem(wish) !== id) return;
    sessionStorage.removeItem(wish);
    if (canKeep() && isInstalled()) void keep();
  }, []);
  return { keep, isBusy, problem };
}
