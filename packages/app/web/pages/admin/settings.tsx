import { call, type Resources } from '../../core/api.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { IconButton } from '../../ui/button.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { lengthOf, momentOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';
import { LicenseSettings } from './license-settings.tsx';
import { Cause } from './server-parts/cause.tsx';
import { StartSettings } from './server-parts/start-settings.tsx';
import { UpdateSettings } from './update-settings.tsx';

const [key, topics] = ['admin:settings', ['settings', 'job', 'server']];
const load = async () => {
  const { tasks } = await call('get', '/api/scheduler', { query: { limit: 200 } });
  return tasks;
};
const changed = (): void => invalidate((topic) => topic === 'settings');

/** Reads the settings before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** Updates, the license, what the server does by the clock, and what it was started with. */
export default function SettingsPage() {
  const settings = useResource(key, topics, load);
  return (
    <AdminPage title={t('admin.settings')}>
      <UpdateSettings />
      <LicenseSettings />
      <Ready of={settings}>
        {(tasks) => (
          <section>
            <h2>{t('tasks.title')}</h2>
            <ul class="lines">
              {tasks.map((task) => (
                <TaskLine key={task.name} task={task} />
              ))}
            </ul>
          </section>
        )}
      </Ready>
      <StartSettings />
    </AdminPage>
  );
}

function TaskLine({ task }: { readonly task: Resources['Task'] }) {
  const { name, purpose, interval, lastRun, lastError, isRunning, isOverdue } = task;
  const title = findMessage(`tasks.${name}`) ?? purpose;
  const run = () =>
    attempt(async () => {
      await call('post', '/api/scheduler/{name}/run', { path: { name } });
      changed();
    }, t('tasks.started'));
  return (
    <li>
      <span>
        {title}
        <small>
          {[
            interval === 0
              ? t('tasks.onRequest')
              : t('tasks.every', { length: lengthOf(interval / 1000) }),
            lastRun === null ? t('tasks.never') : t('tasks.last', { date: momentOf(lastRun) }),
          ].join(' · ')}
        </small>
        {isOverdue && <p class="warn">{t('tasks.overdue')}</p>}
        {lastError !== null && <Cause text={lastError} />}
      </span>
      <IconButton
        icon="play"
        label={t('tasks.run', { task: title })}
        disabled={isRunning}
        act={run}
      />
    </li>
  );
}
