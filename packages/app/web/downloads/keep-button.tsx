import { t } from '../core/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { coming, keepItem, keptOf } from './downloads.ts';
import { percentOf } from './percent.ts';
import { bytesHere, bytesOf } from './kept.ts';
import { useKeep } from './use-keep.ts';

/** Keeps an item on the device, says how far that is, and leads to the downloads. */
export default function KeepButton({ itemId }: { readonly itemId: string }) {
  const { keep, isBusy, problem } = useKeep(itemId, () => keepItem(itemId));
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
        class="button compact"
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
