import { useEffect } from 'preact/hooks';
import { call, type Resources } from '../../core/api.ts';
import { locale, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { Ready } from '../../ui/states.tsx';
import { AdminPage } from './frame.tsx';

type Server = Resources['Server'];

const key = 'admin:servers';
const topics = ['servers'];
const load = () => call('get', '/api/servers');
/** The server has no event for it, so the page asks while it is looked at. */
const againMs = 5000;

/** Reads the servers before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** The servers that share the database: who leads, who is missing, and what differs. */
export default function ServersPage() {
  const servers = useResource(key, topics, load);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') invalidate((topic) => topic === 'servers');
    }, againMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <AdminPage title={t('admin.servers')}>
      <Ready of={servers}>
        {({ servers: all }) => (
          <>
            {all.length === 1 && <p class="fine">{t('servers.only')}</p>}
            <ul class="lines">
              {all.map((server) => (
                <ServerLine key={server.id} server={server} />
              ))}
            </ul>
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function ServerLine({
  server: { address, differences, isLeader, isThis, lastBeatAt, roles, state, version },
}: {
  readonly server: Server;
}) {
  const time = new Date(lastBeatAt).toLocaleString(locale.value);
  const words = [
    ...(isThis ? [t('servers.this')] : []),
    ...(isLeader ? [t('servers.leader')] : []),
    ...(state === 'missing' ? [t('servers.missing', { time })] : []),
    ...differences.map(({ what, detail }) => t(`servers.${what}`, { detail })),
  ];
  return (
    <li>
      <span>
        <strong>
          <bdi>{address}</bdi>
        </strong>
        <small>{[version, roles.join(', '), ...words].join(' · ')}</small>
      </span>
    </li>
  );
}
