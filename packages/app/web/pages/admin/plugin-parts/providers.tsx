import type { ComponentChildren } from 'preact';
import { call } from '../../../core/api.ts';
import { findMessage, t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { Button } from '../../../ui/button.tsx';
import { confirm } from '../../../ui/dialog.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import {
  dutiesOf,
  libraryDutiesOf,
  type Candidate,
  type Duty,
  type LibraryDuty,
} from './duties.ts';

const load = async () => {
  const [{ providers }, { libraries }] = await Promise.all([
    call('get', '/api/plugins/providers'),
    call('get', '/api/libraries'),
  ]);
  return { providers, libraries };
};
const changed = (): void => invalidate((topic) => topic === 'plugin' || topic === 'library');

/** Which plugin does what, for the server and for each library; of one plugin, or of all. */
export function Providers({ pluginId }: { readonly pluginId?: string }) {
  const data = useResource('admin:who-does-what', ['plugin', 'library'], load);
  return (
    <section>
      <h2>{t('duties.title')}</h2>
      <p class="fine">{t('duties.hint')}</p>
      <Ready of={data}>
        {(value) => {
          const duties = dutiesOf(value.providers, pluginId);
          const ofLibraries = libraryDutiesOf(value, pluginId);
          if (duties.length === 0) return <p class="fine">{t('duties.none')}</p>;
          return (
            <ul class="lines">
              {duties.map((duty) => (
                <DutyLine key={duty.keys[0]} duty={duty} />
              ))}
              {ofLibraries.map((duty) => (
                <LibraryLine key={duty.library.id} duty={duty} />
              ))}
            </ul>
          );
        }}
      </Ready>
    </section>
  );
}

/** Asks, and then lets another plugin do it. */
async function give(to: Candidate, title: string, work: () => Promise<unknown>): Promise<void> {
  const text = t('duties.question', { plugin: to.name });
  const action = t('duties.give', { plugin: to.name });
  if (!(await confirm({ title, text, action, isDangerous: false }))) return;
  await attempt(
    async () => {
      await work();
      changed();
    },
    t('duties.given', { plugin: to.name }),
  );
}

const mostNamed = 12;

function namesOf({ capability, parts }: Duty): string {
  const words = parts.map((part) =>
    capability === 'job'
      ? (findMessage(`jobs.type.${part}`) ?? part)
      : capability === 'library'
        ? (findMessage(`library.type.${part}`) ?? part)
        : part,
  );
  const shown = words.slice(0, mostNamed).join(', ');
  const left = words.length - mostNamed;
  return left > 0 ? t('duties.andMore', { names: shown, count: left }) : shown;
}

function DutyLine({ duty }: { readonly duty: Duty }) {
  const { capability, keys, provider, isChosen, candidates } = duty;
  const title = findMessage(`duties.of.${capability}`) ?? capability;
  const names = namesOf(duty);
  return (
    <li>
      <span>
        <strong>{title}</strong>
        {names !== '' && <small>{names}</small>}
        <DoneBy provider={provider} note={isChosen ? t('duties.chosen') : t('duties.usual')} />
      </span>
      <Others
        {...{ provider, candidates, title }}
        give={(to) =>
          give(to, title, async () => {
            for (const key of keys)
              await call('put', '/api/plugins/providers/{key}', {
                path: { key },
                body: { pluginId: to.pluginId },
              });
          })
        }
      />
    </li>
  );
}

function LibraryLine({ duty: { library, provider, candidates } }: { readonly duty: LibraryDuty }) {
  const title = t('duties.library', { library: library.name });
  const choose = (pluginId: string | null) =>
    call('patch', '/api/libraries/{id}', { path: { id: library.id }, body: { pluginId } });
  return (
    <li>
      <span>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <DoneBy
          provider={provider}
          note={t(library.pluginId === null ? 'duties.asEverywhere' : 'duties.chosenHere')}
        />
      </span>
      <Others
        {...{ provider, candidates, title }}
        give={(to) => give(to, title, () => choose(to.pluginId))}
      >
        {library.pluginId !== null && (
          <Button
            label={t('duties.backFor', { what: title })}
            act={() =>
              attempt(async () => {
                await choose(null);
                changed();
              }, t('state.saved'))
            }
          >
            {t('duties.back')}
          </Button>
        )}
      </Others>
    </li>
  );
}

const DoneBy = ({
  provider,
  note,
}: {
  readonly provider: Candidate | undefined;
  readonly note: string;
}) =>
  provider === undefined ? (
    <small class="warn">{t('duties.nobody')}</small>
  ) : (
    <small>
      <bdi>{t('duties.doneBy', { plugin: provider.name })}</bdi> · {note}
    </small>
  );

/** A button for each plugin that could do it and does not. */
function Others({
  provider,
  candidates,
  title,
  give: giveTo,
  children,
}: {
  readonly provider: Candidate | undefined;
  readonly candidates: readonly Candidate[];
  readonly title: string;
  readonly give: (to: Candidate) => Promise<void>;
  readonly children?: ComponentChildren;
}) {
  const others = candidates.filter((one) => one.pluginId !== provider?.pluginId);
  return (
    <span class="buttons">
      {others.map((one) => (
        <Button
          key={one.pluginId}
          label={t('duties.giveWhat', { what: title, plugin: one.name })}
          act={() => giveTo(one)}
        >
          <bdi>{t('duties.give', { plugin: one.name })}</bdi>
        </Button>
      ))}
      {children}
    </span>
  );
}
