import { call, type Resources } from '../../core/api.ts';
import { findMessage, locale, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { lengthOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';
import { LicenseSettings } from './license-settings.tsx';
import { UpdateSettings } from './update-settings.tsx';

const [key, topics] = ['admin:settings', ['settings', 'job', 'server']];
const load = async () => {
  const [tasks, check, health] = await Promise.all([
    call('get', '/api/scheduler', { query: { limit: 200 } }),
    call('get', '/api/database'),
    call('get', '/api/health'),
  ]);
  return { tasks: tasks.tasks, check: check.check, problems: health.problems ?? [] };
};
const changed = (): void => invalidate((topic) => topic === 'settings');

/** Reads the settings before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** Updates, the license, what the server does by the clock, and whether it is well. */
export default function SettingsPage() {
  const settings = useResource(key, topics, load);
  return (
    <AdminPage title={t('admin.settings')}>
      <UpdateSettings />
      <LicenseSettings />
      <Ready of={settings}>
        {({ tasks, check, problems }) => (
          <>
            <Doctor check={check} problems={problems} />
            <section>
              <h2>{t('tasks.title')}</h2>
              <ul class="lines">
                {tasks.map((task) => (
                  <TaskLine key={task.name} task={task} />
                ))}
              </ul>
            </section>
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function Doctor({
  check,
  problems,
}: {
  readonly check: Resources['DatabaseCheck'] | null;
  readonly problems: readonly Resources['Problem'][];
}) {
  const run = () =>
    attempt(async () => {
      await call('post', '/api/database/check');
      changed();
    }, t('doctor.checked'));
  return (
    <section>
      <h2>
        <Icon name="activity" /> {t('doctor.title')}
      </h2>
      {problems.length === 0 && (
        <p class="fine">
          <Icon name="check" /> {t('doctor.well')}
        </p>
      )}
      <ul class="lines">
        {problems.map(({ code, subject, message, action }) => (
          <li key={`${code} ${subject.id}`}>
            <span>
              <strong class="warn">{message}</strong>
              <small>{action}</small>
            </span>
          </li>
        ))}
        <li>
          <span>
            {t('doctor.database')}
            <small>
              {check === null
                ? t('doctor.neverChecked')
                : t(check.ok ? 'doctor.noFault' : 'doctor.faults', {
                    date: new Date(check.checkedAt).toLocaleString(locale.value),
                  })}
            </small>
            {check?.faults.map(({ check: name, message }) => (
              <p key={`${name} ${message}`} class="warn">
                {message}
              </p>
            ))}
          </span>
          <button type="button" class="button" onClick={() => void run()}>
            {t('doctor.check')}
          </button>
        </li>
      </ul>
    </section>
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
            lastRun === null
              ? t('tasks.never')
              : t('tasks.last', { date: new Date(lastRun).toLocaleString(locale.value) }),
          ].join(' · ')}
        </small>
        {isOverdue && <p class="warn">{t('tasks.overdue')}</p>}
        {lastError !== null && (
          <p class="warn">
            <bdi>{lastError}</bdi>
          </p>
        )}
      </span>
      <button
        type="button"
        class="icon-button"
        disabled={isRunning}
        aria-label={t('tasks.run', { task: title })}
        onClick={() => void run()}
      >
        <Icon name="play" />
      </button>
    </li>
  );
}
