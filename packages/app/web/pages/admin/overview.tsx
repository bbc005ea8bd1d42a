import { call } from '../../core/api.ts';
import { locale, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { dateOf, lengthOf, sizeOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';
import { Playing } from './server-parts/playing.tsx';
import { toDosOf, type ToDo } from './overview-todo.ts';

const [key, topics] = ['admin:overview', ['job', 'plugin', 'library', 'notification', 'server']];
const load = async () => {
  const [health, stats, libraries, plugins, news, updates, preset, looks] = await Promise.all([
    call('get', '/api/health'),
    call('get', '/api/stats'),
    call('get', '/api/libraries'),
    call('get', '/api/plugins'),
    call('get', '/api/notifications'),
    call('get', '/api/updates'),
    call('get', '/api/plugins/presets/metadata'),
    call('get', '/api/matches/pending', { query: { limit: 1 } }),
  ]);
  return { health, stats, libraries, plugins, news, updates, preset, looks };
};
type Overview = Awaited<ReturnType<typeof load>>;

/** Reads the overview before it is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** How the server is, and what waits for an admin. */
export default function OverviewPage() {
  const overview = useResource(key, topics, load);
  return (
    <AdminPage title={t('admin.overview')}>
      <Ready of={overview}>{(value) => <View value={value} />}</Ready>
    </AdminPage>
  );
}

/** How many things to do are shown before the rest. */
const mostUrgent = 3;

const waitingIn = ({
  health,
  libraries,
  plugins,
  updates,
  preset,
  looks,
}: Overview): readonly ToDo[] =>
  toDosOf({
    problems: health.problems ?? [],
    unallowed: plugins.skipped.filter(({ reason }) => reason === 'permissions-pending'),
    failed: plugins.plugins.filter(({ state }) => state === 'failed'),
    catalogues: preset.plugins,
    hasLibrary: libraries.libraries.length > 0,
    hasMatches: looks.pending.length > 0,
    update:
      updates.isUpdateAvailable && updates.latestVersion !== null
        ? { version: updates.latestVersion, href: updates.downloadUrl ?? '/admin/settings' }
        : null,
  });

const ToDos = ({ toDos }: { readonly toDos: readonly ToDo[] }) => (
  <ul class="lines">
    {toDos.map(({ text, hint, href, action }) => (
      <li key={`${href} ${text}`}>
        <span>
          <bdi>{text}</bdi>
          {hint !== undefined && <small>{hint}</small>}
        </span>
        <a class="button" href={href}>
          {action}
        </a>
      </li>
    ))}
  </ul>
);

function View({ value }: { readonly value: Overview }) {
  const { health, stats, libraries, news } = value;
  const toDos = waitingIn(value);
  const items = libraries.libraries.reduce((sum, { itemCount }) => sum + itemCount, 0);
  return (
    <>
      <section>
        <h2>{t('admin.todo')}</h2>
        {toDos.length === 0 && (
          <p class="fine">
            <Icon name="check" /> {t('admin.todo.none')}
          </p>
        )}
        <ToDos toDos={toDos.slice(0, mostUrgent)} />
        {toDos.length > mostUrgent && (
          <details>
            <summary>{t('admin.todo.more', { count: toDos.length - mostUrgent })}</summary>
            <ToDos toDos={toDos.slice(mostUrgent)} />
          </details>
        )}
      </section>
      <section>
        <h2>{t('admin.server')}</h2>
        <dl class="facts-list">
          <Fact
            name={t('admin.state')}
            value={t(health.status === 'ok' ? 'admin.state.ok' : 'admin.state.degraded')}
          />
          <Fact name={t('admin.version')} value={health.version} />
          <Fact name={t('admin.uptime')} value={lengthOf(stats.uptime)} />
          <Fact name={t('admin.memory')} value={sizeOf(stats.memoryUsage)} />
          <Fact name={t('admin.titles')} value={t('count.items', { count: items })} />
          <Fact
            name={t('admin.plugins')}
            value={t('admin.runningOf', {
              running: stats.plugins.running,
              total: stats.plugins.total,
            })}
          />
          <Fact name={t('admin.isolation')} value={t(`admin.isolation.${stats.pluginIsolation}`)} />
          <Fact name={t('admin.playing')} value={numberOf(stats.streaming.transcodeSessions)} />
          <Fact name={t('admin.jobsNow')} value={numberOf(stats.jobs.running)} />
          <Fact name={t('admin.pagesNow')} value={numberOf(stats.streaming.wsClients)} />
          <Fact name={t('admin.people')} value={numberOf(stats.users)} />
          <Fact
            name={t('admin.converter')}
            value={
              stats.conversion.version === null
                ? t('admin.converter.none')
                : stats.conversion.version
            }
          />
        </dl>
      </section>
      <Playing />
      <section>
        <h2>{t('admin.news')}</h2>
        {news.notifications.length === 0 && <p class="fine">{t('admin.news.none')}</p>}
        <ul class="lines">
          {news.notifications.map(({ id, title, message, createdAt, readAt }) => (
            <li key={id} class={readAt === null ? 'fresh' : undefined}>
              <span>
                <strong>{title}</strong>
                <small>{dateOf(createdAt)}</small>
                <p>{message}</p>
              </span>
              {readAt === null && (
                <IconButton
                  icon="check"
                  label={t('admin.news.read')}
                  act={() =>
                    attempt(async () => {
                      await call('post', '/api/notifications/{id}/read', { path: { id } });
                      invalidate((topic) => topic === 'notification');
                    })
                  }
                />
              )}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const numberOf = (count: number): string => count.toLocaleString(locale.value);

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
