import { call, type Resources } from '../../core/api.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { momentOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';
import { Cause } from './server-parts/cause.tsx';

type Job = Resources['Job'];

const [key, topics] = ['admin:jobs', ['job']];
const load = async () => {
  const [jobs, libraries] = await Promise.all([
    call('get', '/api/jobs', { query: { limit: 100 } }),
    call('get', '/api/libraries'),
  ]);
  return { ...jobs, names: new Map(libraries.libraries.map(({ id, name }) => [id, name])) };
};

/** Reads the jobs before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** What the server does in the background, live. */
export default function JobsPage() {
  const jobs = useResource(key, topics, load);
  return (
    <AdminPage title={t('admin.jobs')}>
      <Ready of={jobs}>
        {({ jobs: all, counts, names }) => (
          <>
            <p class="facts" role="status">
              {t('jobs.counts', {
                running: counts.running,
                pending: counts.pending,
                failed: counts.failed,
              })}
            </p>
            {all.some(({ status }) => finished.some((one) => one === status)) && (
              <p>
                <Button icon="trash" act={removeFinished}>
                  {t('jobs.removeFinished')}
                </Button>
              </p>
            )}
            <ul class="lines">
              {all.map((job) => (
                <JobLine key={job.id} job={job} library={names.get(job.libraryId ?? '')} />
              ))}
            </ul>
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

const finished = ['completed', 'failed', 'cancelled'] as const;

async function removeFinished(): Promise<void> {
  const [text, action] = [t('jobs.removeFinishedText'), t('jobs.removeFinished')];
  if (!(await confirm({ title: t('jobs.removeFinishedTitle'), text, action }))) return;
  await attempt(async () => {
    await call('delete', '/api/jobs', { query: { status: [...finished] } });
    invalidate((topic) => topic === 'job');
  }, t('jobs.removedFinished'));
}

function JobLine({ job, library }: { readonly job: Job; readonly library: string | undefined }) {
  const { id, type, status, progress, errorMessage, createdAt } = job;
  const act = (verb: 'cancel' | 'retry') => () =>
    void attempt(async () => {
      await call('post', `/api/jobs/{id}/${verb}`, { path: { id } });
      invalidate((topic) => topic === 'job');
    });
  return (
    <li>
      <span>
        <strong>{findMessage(`jobs.type.${type}`) ?? type}</strong>{' '}
        {library !== undefined && <bdi>{library}</bdi>}
        <small>
          {t(`jobs.status.${status}`)} · {momentOf(createdAt)}
        </small>
        {errorMessage !== null && <Cause text={errorMessage} />}
        {status === 'running' && (
          <progress max={1} value={progress} aria-label={t('jobs.progress')} />
        )}
      </span>
      {(status === 'running' || status === 'pending') && (
        <Button icon="close" onClick={act('cancel')}>
          {t('jobs.cancel')}
        </Button>
      )}
      {status === 'failed' && (
        <Button icon="refresh" onClick={act('retry')}>
          {t('action.retry')}
        </Button>
      )}
    </li>
  );
}
