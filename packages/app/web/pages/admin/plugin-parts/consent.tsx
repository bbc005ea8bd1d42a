import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate } from '../../../core/resource.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Problem } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { changeGrant, isGranted, valuesOf, widest, type Permissions } from './grant.ts';
import { PickLibraries, pickedOf, type Picked } from './libraries.tsx';

type Reply = Resources['PluginPermissions'];

/** Lists longer than this are granted as a whole. */
const mostValues = 12;

/** What an admin grants. */
export interface Granted {
  readonly granted: Permissions;
  readonly libraries: Picked;
}

/** What a plugin asks for, in sentences, and what the admin grants of it. */
export function Consent({ id, permissions }: { readonly id: string; readonly permissions: Reply }) {
  const isNew = permissions.granted === null;
  return (
    <ConsentForm
      permissions={permissions}
      title={t(isNew ? 'consent.asks' : 'consent.title')}
      action={t(isNew ? 'consent.allow' : 'consent.save')}
      allow={(body) =>
        attempt(async () => {
          await call('put', '/api/plugins/{id}/permissions', { path: { id }, body });
          invalidate((topic) => topic === 'plugin');
        }, t('consent.saved'))
      }
      beforeAction={(body) => <DryRun id={id} body={body} />}
    />
  );
}

/** The sentences with a box each, the libraries, and the button that grants. */
export function ConsentForm({
  permissions,
  title,
  action,
  allow,
  beforeAction,
}: {
  readonly permissions: Reply;
  readonly title: string;
  readonly action: string;
  readonly allow: (granted: Granted) => Promise<unknown>;
  readonly beforeAction?: (granted: () => Granted) => ComponentChildren;
}) {
  const asked: Permissions = permissions.asked;
  const granted = useSignal<Permissions>(
    permissions.granted ?? permissions.proposed ?? widest(asked),
  );
  const picked = useSignal<Picked>(pickedOf(permissions.libraries));
  const isBusy = useSignal(false);
  const set = (permission: string, isOn: boolean, value?: string): void => {
    granted.value = changeGrant({ asked, granted: granted.value }, permission, {
      isOn,
      ...(value !== undefined && { value }),
    });
  };
  const body = (): Granted => ({ granted: granted.value, libraries: picked.value });
  async function submit(): Promise<void> {
    isBusy.value = true;
    await allow(body());
    isBusy.value = false;
  }
  return (
    <section class="consent">
      <h2>
        <Icon name="shield" /> {title}
      </h2>
      <p class="fine">{t('consent.quoted')}</p>
      <ul class="asks">
        {permissions.sentences.map(({ permission, sentence, reason, values = [] }) => (
          <li key={permission}>
            <label class="check">
              <input
                type="checkbox"
                checked={isGranted(granted.value, permission)}
                onChange={({ currentTarget }) => set(permission, currentTarget.checked)}
              />
              <span>
                <strong>{sentence}</strong>
                {reason !== null && (
                  <q>
                    <bdi>{reason}</bdi>
                  </q>
                )}
              </span>
            </label>
            <Values
              asked={asked[permission]}
              sentences={values}
              permission={permission}
              granted={granted.value}
              set={set}
            />
          </li>
        ))}
        {permissions.sentences.length === 0 && <li>{t('consent.nothing')}</li>}
      </ul>
      {permissions.interface !== null && <p>{permissions.interface}</p>}
      <PickLibraries picked={picked.value} pick={(value) => (picked.value = value)} />
      {beforeAction?.(body)}
      <p class="buttons">
        <Button kind="primary" disabled={isBusy.value} act={submit}>
          {action}
        </Button>
      </p>
    </section>
  );
}

function Values({
  asked,
  sentences,
  permission,
  granted,
  set,
}: {
  readonly asked: unknown;
  /** What single values mean, where they do not say so. */
  readonly sentences: readonly { readonly value: string; readonly sentence: string }[];
  readonly permission: string;
  readonly granted: Permissions;
  readonly set: (permission: string, isOn: boolean, value: string) => void;
}) {
  const values = valuesOf(asked);
  if (values.length < 2 || values.length > mostValues) return null;
  return (
    <ul class="values">
      {values.map((value) => (
        <li key={value}>
          <label class="check">
            <input
              type="checkbox"
              checked={isGranted(granted, permission, value)}
              onChange={({ currentTarget }) => set(permission, currentTarget.checked, value)}
            />
            <span>
              {sentences.find((one) => one.value === value)?.sentence}{' '}
              <code>
                <bdi>{value}</bdi>
              </code>
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}

/** What the grant would have refused of what the plugin did lately. */
function DryRun({ id, body }: { readonly id: string; readonly body: () => Granted }) {
  const result = useSignal<Resources['PluginDryRun'] | null>(null);
  const problem = useSignal<unknown>(undefined);
  async function run(): Promise<void> {
    const { granted, libraries } = body();
    try {
      const reply = await call('get', '/api/plugins/{id}/permissions/dry-run', {
        path: { id },
        query: {
          granted: JSON.stringify(granted),
          libraries: libraries === 'all' ? 'all' : JSON.stringify(libraries),
        },
      });
      result.value = reply.dryRun;
      problem.value = undefined;
    } catch (error) {
      problem.value = error;
    }
  }
  const shown = result.value;
  return (
    <div class="dry-run">
      <Button act={run}>{t('consent.try')}</Button>
      {problem.value !== undefined && <Problem error={problem.value} />}
      {shown !== null && (
        <div role="status">
          <p>
            {shown.calls === 0
              ? t('consent.triedNothing')
              : t('consent.tried', { calls: shown.calls, refused: shown.wouldBeRefused })}
          </p>
          <ul class="lines">
            {shown.entries
              .filter(({ wouldBeRefused }) => wouldBeRefused)
              .map(({ call: name, subject, sentence }) => (
                <li key={`${name} ${subject ?? ''}`} class="warn">
                  <span>
                    <bdi>{sentence}</bdi> <code>host.{name}</code>
                  </span>
                </li>
              ))}
            {shown.effects.map((effect) => (
              <li key={effect}>
                <bdi>{effect}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
