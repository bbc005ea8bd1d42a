import { useSignal, type Signal } from '@preact/signals';
import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { go } from '../../../core/router.ts';
import { Button } from '../../../ui/button.tsx';
import { confirm } from '../../../ui/dialog.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt, say } from '../../../ui/toast.tsx';
import { EarlierVersions } from './earlier-versions.tsx';
import { changeGrant, valuesOf, type Permissions } from './grant.ts';

type Offer = Resources['MarketplacePlugin'];
type Reply = Resources['PluginPermissions'];

/** The versions of an installed plugin: upgrade with the difference in words, rollback, removal. */
export function PluginVersions({
  id,
  permissions,
}: {
  readonly id: string;
  readonly permissions: Reply;
}) {
  const offers = useResource(`admin:versions:${id}`, ['plugin', 'marketplace'], () =>
    call('get', '/api/plugins/marketplace', { query: { id } }),
  );
  // The page shows a new version before its installation has ended.
  const isBusy = useSignal(false);
  return (
    <section>
      <h2>{t('versions.title')}</h2>
      <Ready of={offers}>
        {({ plugins }) => {
          const offer = plugins.find(({ installed }) => installed !== null);
          return (
            <>
              {offer === undefined ? (
                <p class="fine">{t('versions.noSource')}</p>
              ) : (
                <Versions offer={offer} permissions={permissions} isBusy={isBusy} />
              )}
              <EarlierVersions id={id} isBusy={isBusy} />
              <Remove id={id} />
            </>
          );
        }}
      </Ready>
    </section>
  );
}

const changed = (): void => invalidate((topic) => topic === 'plugin' || topic === 'marketplace');

/** What an upgrade is allowed: what the plugin has now, and the new wishes that were ticked. */
function grantFor(asked: Permissions, now: Permissions, ticked: readonly string[]): Permissions {
  const kept = Object.entries(now).flatMap(([permission, value]) => {
    if (asked[permission] === undefined) return [];
    if (!Array.isArray(value)) return [[permission, value] as const];
    const values = valuesOf(value).filter((one) => valuesOf(asked[permission]).includes(one));
    return values.length === 0 ? [] : [[permission, values] as const];
  });
  return ticked.reduce<Permissions>(
    (granted, permission) => changeGrant({ asked, granted }, permission, { isOn: true }),
    Object.fromEntries(kept),
  );
}

function Versions({
  offer,
  permissions,
  isBusy,
}: {
  readonly offer: Offer;
  readonly permissions: Reply;
  readonly isBusy: Signal<boolean>;
}) {
  const { id, installed, latest, versions, changes } = offer;
  const ticked = useSignal<readonly string[]>([]);
  if (installed === null) return null;
  const next = versions.find(({ version }) => version === latest);
  const before: Permissions = permissions.asked;
  const fresh = (next?.sentences ?? []).filter(
    ({ permission }) =>
      JSON.stringify(next?.permissions[permission]) !== JSON.stringify(before[permission]),
  );
  const gone = permissions.sentences.filter(
    ({ permission }) => next !== undefined && next.permissions[permission] === undefined,
  );
  async function upgrade(): Promise<void> {
    isBusy.value = true;
    await attempt(async () => {
      const granted = grantFor(next?.permissions ?? {}, permissions.granted ?? {}, ticked.value);
      const { waiting } = await call('post', '/api/plugins/marketplace/upgrade', {
        body: { id, ...(latest !== null && { version: latest }), granted },
      });
      say(waiting === undefined ? t('versions.upgraded') : t('versions.waits'));
      changed();
    });
    isBusy.value = false;
  }
  return (
    <>
      <p class="facts">{t('market.installed', { version: installed.version })}</p>
      {installed.revoked !== null && <p class="warn">{installed.revoked}</p>}
      {installed.isDamaged && <p class="warn">{t('versions.damaged')}</p>}
      {installed.takenBack.map(({ version, reason }) => (
        <p key={version} class="warn">
          {t('versions.takenBack', { version, reason })}
        </p>
      ))}
      {installed.canUpgrade && next !== undefined && (
        <div class="upgrade">
          <h3>{t('market.canUpgrade', { version: next.version })}</h3>
          {fresh.length === 0 && <p>{t('versions.asksNoMore')}</p>}
          <ul class="asks difference">
            {fresh.map(({ permission, sentence, reason }) => (
              <li key={permission} class="more">
                <label class="check">
                  <input
                    type="checkbox"
                    checked={ticked.value.includes(permission)}
                    onChange={({ currentTarget }) => {
                      const others = ticked.value.filter((one) => one !== permission);
                      ticked.value = currentTarget.checked ? [...others, permission] : others;
                    }}
                  />
                  <span>
                    <small>{t('versions.asksNew')}</small>
                    <strong>{sentence}</strong>
                    {reason !== null && (
                      <q>
                        <bdi>{reason}</bdi>
                      </q>
                    )}
                  </span>
                </label>
              </li>
            ))}
            {gone.map(({ permission, sentence }) => (
              <li key={permission} class="less">
                <small>{t('versions.asksNoLonger')}</small> <s>{sentence}</s>
              </li>
            ))}
          </ul>
          {changes !== null && (
            <details class="panel">
              <summary>{t('versions.changes')}</summary>
              <pre class="quoted">
                <bdi>{changes}</bdi>
              </pre>
            </details>
          )}
          <p class="buttons">
            <Button icon="download" kind="primary" disabled={isBusy.value} act={upgrade}>
              {t('versions.upgrade', { version: next.version })}
            </Button>
          </p>
        </div>
      )}
    </>
  );
}

function Remove({ id }: { readonly id: string }) {
  async function remove(): Promise<void> {
    const yes = await confirm({
      title: t('versions.removeTitle'),
      text: t('versions.removeText'),
      action: t('versions.remove'),
    });
    if (!yes) return;
    const isDone = await attempt(async () => {
      await call('delete', '/api/plugins/{id}', { path: { id } });
      changed();
    }, t('versions.removed'));
    if (isDone) await go('/admin/plugins');
  }
  return (
    <p class="buttons">
      <Button icon="trash" kind="danger" act={remove}>
        {t('versions.remove')}
      </Button>
    </p>
  );
}
