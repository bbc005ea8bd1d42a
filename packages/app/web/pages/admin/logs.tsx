import { useEffect } from 'preact/hooks';
import { call } from '../../core/api.ts';
import { locale, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { setQuery, type PageProps } from '../../core/router.ts';
import { Ready } from '../../ui/states.tsx';
import { AdminPage } from './frame.tsx';
import { levels, levelOf, mergeLines, type ShownLine } from './log-lines.ts';

/** Lines of the page, the newest ones. */
const mostLines = 300;
/** The server has no event for a line of its log, so the page asks while it is looked at. */
const againMs = 2500;

const keyOf = (source: string, level: string): string => `admin:logs:${source}:${level}`;
const topics = ['log', 'plugin'];

const wantedOf = (query: URLSearchParams) => ({
  source: query.get('source') ?? '',
  level: levelOf(query.get('level')),
});
type Wanted = ReturnType<typeof wantedOf>;

const loadOf =
  ({ source, level }: Wanted) =>
  async () => {
    const { plugins } = await call('get', '/api/plugins');
    const asked = plugins.filter(({ id }) => source === id);
    const [server, ...others] = await Promise.all([
      source === '' ? call('get', '/api/logs', { query: { level, limit: mostLines } }) : null,
      ...asked.map(async ({ id }) => ({
        id,
        ...(await call('get', '/api/plugins/{id}/logs', { path: { id } })),
      })),
    ]);
    const lines = mergeLines(
      [
        ...(server?.lines ?? []),
        ...others.flatMap(({ id, lines: own }) =>
          own.map(({ time, level: its, text }) => ({ time, level: its, text, pluginId: id })),
        ),
      ],
      { level, most: mostLines },
    );
    return { lines, names: new Map(plugins.map(({ id, name }) => [id, name])) };
  };

/** Reads the lines before the page is shown. */
export const prepare = ({ query }: PageProps): Promise<void> => {
  const wanted = wantedOf(query);
  return preload(keyOf(wanted.source, wanted.level), topics, loadOf(wanted));
};

/** What the server and its plugins wrote, newest first, while it is written. */
export default function AdminLogsPage({ query }: PageProps) {
  const wanted = wantedOf(query);
  const key = keyOf(wanted.source, wanted.level);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') invalidate((topic) => topic === 'log');
    }, againMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <AdminPage title={t('logs.all')}>
      <Lines key={key} wanted={wanted} />
    </AdminPage>
  );
}

function Lines({ wanted }: { readonly wanted: Wanted }) {
  const data = useResource(keyOf(wanted.source, wanted.level), topics, loadOf(wanted));
  return (
    <Ready of={data}>
      {({ lines, names }) => (
        <>
          <Filters wanted={wanted} names={names} />
          {lines.length === 0 ? (
            <p class="fine">{t('logs.nothing')}</p>
          ) : (
            <ol class="log tall" dir="ltr" tabIndex={0} aria-label={t('logs.all')}>
              {lines.map((line) => (
                <Line key={line.key} line={line} names={names} />
              ))}
            </ol>
          )}
        </>
      )}
    </Ready>
  );
}

function Line({
  line: { time, level, text, pluginId },
  names,
}: {
  readonly line: ShownLine;
  readonly names: ReadonlyMap<string, string>;
}) {
  return (
    <li class={level}>
      <time dateTime={time}>
        {new Date(time).toLocaleString(locale.value, { dateStyle: 'short', timeStyle: 'medium' })}
      </time>{' '}
      {(level === 'warn' || level === 'error') && <strong>{t(`logs.level.${level}`)}: </strong>}
      {pluginId !== null && <bdi>{names.get(pluginId) ?? pluginId}: </bdi>}
      <bdi>{text}</bdi>
    </li>
  );
}

function Filters({
  wanted: { source, level },
  names,
}: {
  readonly wanted: Wanted;
  readonly names: ReadonlyMap<string, string>;
}) {
  const sorted = [...names].sort(([, one], [, other]) => one.localeCompare(other, locale.value));
  return (
    <div class="filters">
      <label>
        <span class="unseen">{t('logs.source')}</span>
        <select
          class="chip"
          value={source}
          onChange={({ currentTarget }) => setQuery({ source: currentTarget.value || null })}
        >
          <option value="">{t('logs.server')}</option>
          {sorted.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">{t('logs.leastLevel')}</span>
        <select
          class="chip"
          value={level}
          onChange={({ currentTarget }) => setQuery({ level: currentTarget.value })}
        >
          {levels.map((one) => (
            <option key={one} value={one}>
              {t(`logs.from.${one}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
