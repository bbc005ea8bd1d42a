import { call, type Resources } from '../../../core/api.ts';
import { findMessage, t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { Button } from '../../../ui/button.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { momentOf } from '../../../ui/words.ts';
import { Cause } from '../server-parts/cause.tsx';

type Job = Resources['Job'];

/** Jobs of a library that are shown. */
const mostJobs = 8;

/** Scans the library now, shows how far the scan is, and what else was done for it. */
export function LibraryScan({ id }: { readonly id: string }) {
  const jobs = useResource(`admin:library-jobs:${id}`, ['job'], () =>
    call('get', '/api/jobs', { query: { libraryId: id, limit: 50 } }),
  );
  return (
    <section>
      <h2>{t('admin.library.scans')}</h2>
      <Ready of={jobs}>
        {({ jobs: all }) => (
          <>
            <ScanNow id={id} scan={all.find(isOpenScan)} />
            <ul class="lines">
              {all.slice(0, mostJobs).map((job) => (
                <JobLine key={job.id} job={job} />
              ))}
            </ul>
          </>
        )}
      </Ready>
    </section>
  );
}

const isOpenScan = ({ type, status }: Job): boolean =>
  type === 'scan' && (status === 'running' || status === 'pending');

const act = (work: () => Promise<unknown>) => () =>
  void attempt(async () => {
    await work();
    invalidate((topic) => topic === 'job');
  });

function ScanNow({ id, scan }: { readonly id: string; readonly scan: Job | undefined }) {
  if (scan === undefined)
    return (
      <p class="buttons">
        <Button
          icon="refresh"
          kind="primary"
          onClick={act(() => call('post', '/api/jobs', { body: { type: 'scan', libraryId: id } }))}
        >
          {t('admin.library.scanNow')}
        </Button>
      </p>
    );
  return (
    <div class="scan" role="status">
      {t(scan.status === 'pending' ? 'admin.library.scanWaits' : 'library.scanning')}
      <progress max={1} value={scan.progress} aria-label={t('library.scanning')} />
      <Button
        icon="close"
        onClick={act(() => call('post', '/api/jobs/{id}/cancel', { path: { id: scan.id } }))}
      >
        {t('jobs.cancel')}
      </Button>
    </div>
  );
}

function JobLine({
  job: { type, status, errorMessage, createdAt, result },
}: {
  readonly job: Job;
}) {
  const found = countsOf(result);
  return (
    <li>
      <span>
        <strong>{findMessage(`jobs.type.${type}`) ?? type}</strong>
        <small>{[t(`jobs.status.${status}`), momentOf(createdAt), ...found].join(' · ')}</small>
        {errorMessage !== null && <Cause text={errorMessage} />}
      </span>
    </li>
  );
}

const counted = ['added', 'changed', 'moved', 'gone'] as const;

/** What a scan found, such as `3 new files`. */
const countsOf = (result: Readonly<Record<string, unknown>>): readonly string[] =>
  counted.flatMap((name) => {
    const count = result[name];
    return typeof count === 'number' && count > 0 ? [t(`scan.${name}`, { count })] : [];
  });
