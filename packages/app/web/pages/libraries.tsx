import { useEffect } from 'preact/hooks';
import { call } from '../core/api.ts';
import { findMessage, t } from '../core/messages.ts';
import { preload, useResource } from '../core/resource.ts';
import { isAdmin } from '../core/session.ts';
import { PluginEntries } from '../pieces/plugin-slot.tsx';
import { Icon } from '../ui/icon.tsx';
import { libraryIcon } from '../ui/library-icon.ts';
import { Empty, Ready } from '../ui/states.tsx';
import { useTitle } from '../ui/title.ts';
import { AddLibrary } from './add-library.tsx';
import { InternetChoice } from './internet-choice.tsx';

const [key, topics] = ['libraries', ['library']];
const load = () => call('get', '/api/libraries');

/** Reads the libraries before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** All libraries that the viewer may see. */
export default function Libraries() {
  useTitle(t('nav.libraries'));
  const libraries = useResource(key, topics, load);
  // Most people go on to a library: its page is there when they do.
  useEffect(() => void import('./library.tsx').catch(() => {}), []);
  return (
    <div class="page">
      <h1>{t('nav.libraries')}</h1>
      <Ready of={libraries}>
        {({ libraries: all }) => (
          <>
            {all.length === 0 && (
              <Empty title={t(isAdmin.value ? 'home.noLibrary' : 'home.empty')} />
            )}
            <ul class="cards">
              {all.map(({ id, name, type, itemCount, problems }) => (
                <li key={id}>
                  <a class="card" href={`/libraries/${id}`}>
                    <Icon name={libraryIcon(type)} size={28} />
                    <span>
                      <bdi class="title">{name}</bdi>
                      <small>
                        {findMessage(`library.type.${type}`) ?? type} ·{' '}
                        {t('count.items', { count: itemCount })}
                      </small>
                      {problems.length > 0 && <small class="warn">{problems[0]?.message}</small>}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            {isAdmin.value && <AddLibrary isOpen={all.length === 0} />}
            {isAdmin.value && all.length === 0 && <InternetChoice isShort />}
            <PluginEntries slot="sidebar-discover" />
          </>
        )}
      </Ready>
    </div>
  );
}
