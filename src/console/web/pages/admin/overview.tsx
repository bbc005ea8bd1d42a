import { call } from '../../core/api.ts';
import { locale, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { dateOf, lengthOf, sizeOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';

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

interface ToDo {
  readonly text: string;
  readonly href: string;
}

/** What waits for a person, the most urgent first. */
function toDosOf({ libraries, plugins, updates, preset, looks }: Overview): readonly ToDo[] {
  const catalogues = new Set(preset.plugins.map(({ id }) => id));
  return [
    ...libraries.libraries.flatMap(({ id, name, problems }) =>
      problems.map(({ message }) => ({
        text: `${name}: ${message}`,
        href: `/admin/libraries/${id}`,
      })),
    ),
    ...plugins.skipped
      .filter(({ reason, id }) => reason === 'permissions-pending' && !catalogues.has(id))
      .map(({ id, name }) => ({
        text: t('admin.todo.consent', { plugin: name }),
        href: `/admin/plugins/${id}`,
      })),
    ...plugins.plugins
      .filter(({ state }) => state === 'failed')
      .map(({ id, name }) => ({
        text: t('admin.todo.failed', { plugin: name }),
        href: `/admin/plugins/${id}`,
      })),
    ...(looks.pending.length > 0
      ? [{ text: t('admin.todo.matches'), href: '/admin/matches' }]
      : []),
    ...(libraries.libraries.length === 0
      ? [{ text: t('home.noLibrary'), href: '/admin/libraries' }]
      : []),
    ...(preset.plugins.some(({ granted }) => granted)
      ? []
      : [{ text: t('admin.todo.internet'), href: '/admin/plugins' }]),
    ...(updates.isUpdateAvailable && updates.latestVersion !== null
      ? [
          {
            text: t('admin.todo.update', { version: updates.latestVersion }),
            href: updates.downloadUrl ?? '/admin',
          },
        ]
      : []),
  ];
}

function View({ value }: { readonly value: Overview }) {
  const { health, stats, libraries, news } = value;
  const toDos = toDosOf(value);
  const problems = health.problems ?? [];
  const items = libraries.libraries.reduce((sum, { itemCount }) => sum + itemCount, 0);
  return (
    <>
      <section>
        <h2>{t('admin.todo')}</h2>
        {toDos.length === 0 && problems.length === 0 ? (
          <p class="fine">
            <Icon name="check" /> {t('admin.todo.none')}
          </p>
        ) : (
          <ul class="lines">
            {problems.map(({ code, message }) => (
              <li key={code} class="warn">
                <span>{message}</span>
              </li>
            ))}
            {toDos.map(({ text, href }) => (
              <li key={text}>
                <a href={href}>
                  <bdi>{text}</bdi>
                </a>
                <Icon name="right" />
              </li>
            ))}
          </ul>
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
          <Fact
            name={t('admin.isolation')}
            value={t(
              stats.pluginIsolation === 'namespaces'
                ? 'admin.isolation.namespaces'
                : 'admin.isolation.processes',
            )}
          />
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
                <button
                  type="button"
                  class="icon-button"
                  aria-label={t('admin.news.read')}
                  onClick={() =>
                    void attempt(async () => {
                      await call('post', '/api/notifications/{id}/read', { path: { id } });
                      invalidate((topic) => topic === 'notification');
                    })
                  }
                >
                  <Icon name="check" />
                </button>
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
