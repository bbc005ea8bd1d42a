import { call, type Resources } from '../../core/api.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { momentOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';

const [key, topics] = ['admin:problems', ['server', 'job', 'library', 'plugin', 'doctor']];
const load = async () => {
  const [health, { check }] = await Promise.all([
    call('get', '/api/health'),
    call('get', '/api/database'),
  ]);
  return { problems: health.problems ?? [], check };
};

/** Reads the problems before the page is shown; the examination takes longer. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** What is wrong with the server and its installation, and what to do about it. */
export default function DoctorPage() {
  const known = useResource(key, topics, load);
  const examination = useResource('admin:examination', ['doctor'], () =>
    call('get', '/api/doctor'),
  );
  const again = (): void => invalidate((topic) => topic === 'doctor');
  return (
    <AdminPage title={t('doctor.page')}>
      <Ready of={known}>{(value) => <Problems {...value} />}</Ready>
      <section>
        <h2>{t('doctor.installation')}</h2>
        <p class="fine">{t('doctor.hint')}</p>
        <p class="buttons">
          <Button icon="refresh" disabled={examination.value.isLoading} onClick={again}>
            {t('doctor.again')}
          </Button>
        </p>
        <Ready of={examination} placeholder={<p class="fine">{t('doctor.examining')}</p>}>
          {({ findings, examinedAt }) => (
            <Findings
              findings={findings.filter(({ check }) => !check.startsWith('problem '))}
              examinedAt={examinedAt}
            />
          )}
        </Ready>
      </section>
    </AdminPage>
  );
}

type Finding = Resources['Finding'];
const order = ['bad', 'hint', 'good'] as const;
const icons: Readonly<Record<Finding['state'], IconName>> = {
  bad: 'warning',
  hint: 'info',
  good: 'check',
};

/** What the examination found, without the problems that are listed above it. */
function Findings({
  findings,
  examinedAt,
}: {
  readonly findings: readonly Finding[];
  readonly examinedAt: string;
}) {
  return (
    <>
      <p class="facts" role="status">
        {t('doctor.found', {
          bad: findings.filter(({ state }) => state === 'bad').length,
          hints: findings.filter(({ state }) => state === 'hint').length,
        })}{' '}
        · {momentOf(examinedAt)}
      </p>
      <ul class="lines">
        {order.flatMap((state) =>
          findings
            .filter((one) => one.state === state)
            .map((one) => <FindingLine key={`${one.check} ${one.what}`} finding={one} />),
        )}
      </ul>
    </>
  );
}

function FindingLine({ finding: { check, state, what, remedy } }: { readonly finding: Finding }) {
  const [kind = '', ...rest] = check.split(' ');
  const named = findMessage(`doctor.of.${check.replaceAll(' ', '-')}`);
  const title = named ?? [findMessage(`doctor.of.${kind}`) ?? kind, ...rest].join(' ');
  return (
    <li>
      <span>
        <span class={state === 'bad' ? 'with-icon warn' : 'with-icon'}>
          <Icon name={icons[state]} />
          <strong>
            <bdi>{title}</bdi>
          </strong>
          <span class="fine">{t(`doctor.state.${state}`)}</span>
        </span>
        <small>
          <bdi>{what}</bdi>
        </small>
        {remedy !== null && (
          <small>
            <strong>{t('doctor.remedy')}</strong> <bdi>{remedy}</bdi>
          </small>
        )}
      </span>
    </li>
  );
}

function Problems({
  check,
  problems,
}: {
  readonly check: Resources['DatabaseCheck'] | null;
  readonly problems: readonly Resources['Problem'][];
}) {
  const run = () =>
    attempt(async () => {
      await call('post', '/api/database/check');
      invalidate((topic) => topic === 'server');
    }, t('doctor.checked'));
  return (
    <section>
      <h2>{t('doctor.title')}</h2>
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
                    date: momentOf(check.checkedAt),
                  })}
            </small>
            {check?.faults.map(({ check: name, message }) => (
              <p key={`${name} ${message}`} class="warn">
                {message}
              </p>
            ))}
          </span>
          <Button act={run}>{t('doctor.check')}</Button>
        </li>
      </ul>
    </section>
  );
}
