import type { Signal } from '@preact/signals';
import { call } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { Button } from '../../../ui/button.tsx';
import { confirm } from '../../../ui/dialog.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { momentOf } from '../../../ui/words.ts';

/** The versions of a plugin that were installed before, with a way back to each. */
export function EarlierVersions({
  id,
  isBusy,
}: {
  readonly id: string;
  /** Another version is being installed. */
  readonly isBusy: Signal<boolean>;
}) {
  const earlier = useResource(`admin:earlier:${id}`, ['plugin', 'marketplace'], () =>
    call('get', '/api/plugins/{id}/versions', { path: { id } }),
  );
  async function rollBack(version: string, isKept: boolean): Promise<void> {
    const title = t('versions.rollBack', { version });
    const text = t(isKept ? 'versions.rollBackText' : 'versions.rollBackFetched');
    if (!(await confirm({ title, text, action: title }))) return;
    isBusy.value = true;
    await attempt(
      async () => {
        await call('post', '/api/plugins/marketplace/rollback', { body: { id, version } });
        invalidate((topic) => topic === 'plugin' || topic === 'marketplace');
      },
      t('versions.rolledBack', { version }),
    );
    isBusy.value = false;
  }
  return (
    <Ready of={earlier}>
      {({ versions }) =>
        versions.length === 0 ? null : (
          <>
            <h3>{t('versions.earlier')}</h3>
            <ul class="lines">
              {versions.map(({ version, replacedAt, isKept, revoked }) => (
                <li key={version}>
                  <span>
                    {version} <small>{t('versions.until', { time: momentOf(replacedAt) })}</small>
                  </span>
                  {revoked !== null && <p class="warn">{revoked}</p>}
                  {revoked === null && (
                    <Button
                      icon="previous"
                      disabled={isBusy.value}
                      act={() => rollBack(version, isKept)}
                    >
                      {t('versions.rollBack', { version })}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Ready>
  );
}
