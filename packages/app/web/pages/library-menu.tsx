import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { call, type Resources } from '../core/api.ts';
import { onEvent } from '../core/live.ts';
import { t } from '../core/messages.ts';
import { isAdmin } from '../core/session.ts';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/toast.tsx';

/** What an admin does with a library: scan it, and see how far the scan is. */
export function LibraryMenu({
  library: { id, problems },
}: {
  readonly library: Resources['Library'];
}) {
  const progress = useSignal<number | null>(null);
  useEffect(
    () =>
      onEvent(({ type, data }) => {
        if (data['libraryId'] !== id || data['type'] !== 'scan') return;
        if (type === 'job.started') progress.value = 0;
        if (type === 'job.progress' && typeof data['progress'] === 'number')
          progress.value = data['progress'];
        if (/^job\.(completed|failed|cancelled)$/.test(type)) progress.value = null;
      }),
    [id],
  );
  if (!isAdmin.value) return null;
  return (
    <div class="library-menu">
      {problems.map(({ uri, message }) => (
        <p key={uri} class="warn">
          <Icon name="warning" size={16} /> {message}
        </p>
      ))}
      {progress.value === null ? (
        <button
          type="button"
          class="button compact"
          onClick={() =>
            void attempt(
              () => call('post', '/api/jobs', { body: { type: 'scan', libraryId: id } }),
              t('library.scanning'),
            )
          }
        >
          <Icon name="refresh" size={16} />
          {t('library.scan')}
        </button>
      ) : (
        <div class="scan" role="status">
          {t('library.scanning')}
          <progress max={1} value={progress.value} aria-label={t('library.scanning')} />
        </div>
      )}
    </div>
  );
}
