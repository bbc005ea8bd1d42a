import { call, type Resources } from '../../core/api.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { libraryIcon } from '../../ui/library-icon.ts';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { momentOf } from '../../ui/words.ts';
import { AddLibrary } from '../add-library.tsx';
import { AdminPage } from './frame.tsx';
import { Cause } from './server-parts/cause.tsx';

const [key, topics] = ['admin:libraries', ['library', 'job', 'scheduler']];
const load = async () => {
  const [libraries, jobs, tasks] = await Promise.all([
    call('get', '/api/libraries'),
    call('get', '/api/jobs', { query: { status: ['running', 'pending'], limit: 100 } }),
    call('get', '/api/scheduler'),
  ]);
  return { libraries: libraries.libraries, jobs: jobs.jobs, tasks: tasks.tasks };
};

/** Reads the libraries before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** All libraries with their problems and scans, and when they are scanned by themselves. */
export default function AdminLibrariesPage() {
  const data = useResource(key, topics, load);
  return (
    <AdminPage title={t('nav.libraries')}>
      <Ready of={data}>
        {({ libraries, jobs, tasks }) => (
          <>
            <ul class="cards">
              {libraries.map((library) => (
                <li key={library.id}>
                  <Card
                    library={library}
                    scan={jobs.find(
                      ({ libraryId, type }) => libraryId === library.id && type === 'scan',
                    )}
                  />
                </li>
              ))}
            </ul>
            <AddLibrary isOpen={libraries.length === 0} />
            <Schedule tasks={tasks} />
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function Card({
  library: { id, name, type, itemCount, hidden, lastScanAt, problems },
  scan,
}: {
  readonly library: Resources['Library'];
  readonly scan: Resources['Job'] | undefined;
}) {
  const facts = [
    findMessage(`library.type.${type}`) ?? type,
    t('count.items', { count: itemCount }),
    ...(hidden ? [t('admin.library.isHidden')] : []),
  ];
  return (
    <a class="card" href={`/admin/libraries/${id}`}>
      <Icon name={hidden ? 'eyeOff' : libraryIcon(type)} size={28} />
      <span>
        <bdi class="title">{name}</bdi>
        <small>{facts.join(' · ')}</small>
        <small>
          {lastScanAt === null
            ? t('admin.library.neverScanned')
            : t('admin.library.scanned', { date: momentOf(lastScanAt) })}
        </small>
        {problems.length > 0 && (
          <small class="warn">{t('admin.library.problems', { count: problems.length })}</small>
        )}
        {scan?.status === 'pending' && <small>{t('admin.library.scanWaits')}</small>}
        {scan?.status === 'running' && (
          <progress max={1} value={scan.progress} aria-label={t('library.scanning')} />
        )}
      </span>
    </a>
  );
}

const hourMs = 3_600_000;

/** The tasks of the server that concern libraries. */
const ownTasks = ['library-scan', 'media-jobs'] as const;

/** When all libraries are scanned, and their media looked at, without being asked. */
function Schedule({ tasks }: { readonly tasks: readonly Resources['Task'][] }) {
  const own = ownTasks.flatMap((name) => tasks.find((task) => task.name === name) ?? []);
  return (
    <section>
      <h2>{t('schedule.title')}</h2>
      <ul class="lines">
        {own.map((task) => (
          <TaskLine key={task.name} task={task} />
        ))}
      </ul>
      <p class="fine">{t('schedule.hint')}</p>
    </section>
  );
}

function TaskLine({
  task: { name, purpose, interval, lastRun, nextRun, lastError, isRunning },
}: {
  readonly task: Resources['Task'];
}) {
  const run = () =>
    attempt(async () => {
      await call('post', '/api/scheduler/{name}/run', { path: { name } });
      invalidate((topic) => topic === 'scheduler');
    }, t('schedule.started'));
  const times = [
    interval === 0
      ? t('schedule.never')
      : t('schedule.every', { hours: Math.round(interval / hourMs) }),
    ...(lastRun === null ? [] : [t('schedule.last', { date: momentOf(lastRun) })]),
    ...(nextRun === null ? [] : [t('schedule.next', { date: momentOf(nextRun) })]),
  ];
  return (
    <li>
      <span>
        <strong>{findMessage(`schedule.task.${name}`) ?? purpose}</strong>
        <small>{times.join(' · ')}</small>
        {lastError !== null && <Cause text={lastError} />}
      </span>
      <Button icon="play" disabled={isRunning} act={run}>
        {t('schedule.run')}
      </Button>
    </li>
  );
}
