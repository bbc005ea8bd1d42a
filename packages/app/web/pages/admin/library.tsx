import { call, type Resources } from '../../core/api.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { go, type PageProps } from '../../core/router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { momentOf, pathOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';
import { LibraryFolders } from './library-parts/folders.tsx';
import { LibraryHeld } from './library-parts/held.tsx';
import { LibraryScan } from './library-parts/scan.tsx';
import { LibrarySettings } from './library-parts/settings.tsx';
import { LibrarySources } from './library-parts/sources.tsx';

const keyOf = (id: string): string => `admin:library:${id}`;
const topicsOf = (id: string): readonly string[] => [`library:${id}`, 'library'];
const loadOf = (id: string) => () => call('get', '/api/libraries/{id}', { path: { id } });

/** Reads the library before its page is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(keyOf(id), topicsOf(id), loadOf(id));

/** One library: its scan, problems, folders and settings. */
export default function AdminLibraryPage({ parameters: { id = '' } }: PageProps) {
  const data = useResource(keyOf(id), topicsOf(id), loadOf(id));
  return (
    <AdminPage title={data.value.value?.library.name ?? t('nav.libraries')}>
      <Ready of={data}>
        {({ library }) => (
          <>
            <About library={library} />
            <LibraryScan id={id} />
            <LibraryHeld id={id} />
            <LibraryFolders library={library} />
            <LibrarySources id={id} type={library.type} />
            <LibrarySettings key={library.updatedAt} library={library} />
            <Remove library={library} />
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function About({ library }: { readonly library: Resources['Library'] }) {
  const { id, type, itemCount, lastScanAt, problems } = library;
  return (
    <section>
      <p class="facts">
        {[
          findMessage(`library.type.${type}`) ?? type,
          t('count.items', { count: itemCount }),
          lastScanAt === null
            ? t('admin.library.neverScanned')
            : t('admin.library.scanned', { date: momentOf(lastScanAt) }),
        ].join(' · ')}
      </p>
      <p class="buttons">
        <a class="button" href={`/libraries/${id}`}>
          <Icon name="library" size={16} />
          {t('admin.library.open')}
        </a>
      </p>
      {problems.length > 0 && (
        <ul class="lines" aria-label={t('admin.library.problems', { count: problems.length })}>
          {problems.map(({ uri, code, message }) => (
            <li key={`${code} ${uri}`}>
              <span>
                <span class="with-icon warn">
                  <Icon name="warning" />
                  {findMessage(`admin.library.problem.${code}`) ?? message}
                </span>
                <small>
                  <code>
                    <bdi>{pathOf(uri)}</bdi>
                  </code>
                </small>
                <small>{message}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Deletes the library, after a question. The files stay. */
function Remove({ library: { id, name, itemCount } }: { readonly library: Resources['Library'] }) {
  async function remove(): Promise<void> {
    const isWanted = await confirm({
      title: t('admin.library.delete'),
      text: t('admin.library.deleteQuestion', { name, count: itemCount }),
      action: t('admin.library.delete'),
    });
    if (!isWanted) return;
    await attempt(
      async () => {
        await call('delete', '/api/libraries/{id}', { path: { id } });
        invalidate((topic) => topic === 'library');
        await go('/admin/libraries', { replace: true });
      },
      t('admin.library.deleted', { name }),
    );
  }
  return (
    <section>
      <h2>{t('admin.library.delete')}</h2>
      <p class="fine">{t('admin.library.deleteHint')}</p>
      <p class="buttons">
        <Button icon="trash" kind="danger" act={remove}>
          {t('admin.library.delete')}
        </Button>
      </p>
    </section>
  );
}
