import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { findMessage, locale, t } from '../../core/messages.ts';
import { preload, useResource } from '../../core/resource.ts';
import { setQuery, type PageProps } from '../../core/router.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { VerifyAudit } from './audit-verify.tsx';
import { AdminPage } from './frame.tsx';

type Entry = Resources['AuditEntry'];

/** Groups of actions that may be chosen, by the beginning of their names. */
const groups = [
  'user',
  'session',
  'profile',
  'group',
  'invite',
  'identity',
  'passkey',
  'api_key',
  'library',
  'item',
  'plugin',
  'marketplace',
  'webhook',
  'backup',
  'license',
  'updates',
  'scheduler',
] as const;
const pageSize = 50;

interface Filter {
  readonly group: string;
  readonly actor: string;
  readonly from: string;
  readonly to: string;
}

const filterOf = (query: URLSearchParams): Filter => ({
  group: query.get('group') ?? '',
  actor: query.get('actor') ?? '',
  from: query.get('from') ?? '',
  to: query.get('to') ?? '',
});

/** The moment at which a day begins here, or ends. */
const momentOf = (day: string, end = false): string =>
  new Date(`${day}T${end ? '23:59:59.999' : '00:00:00'}`).toISOString();

const queryOf = ({ group, actor, from, to }: Filter) => ({
  limit: pageSize,
  ...(group !== '' && { action: [`${group}.*`] }),
  ...(actor !== '' && { actor }),
  ...(from !== '' && { from: momentOf(from) }),
  ...(to !== '' && { to: momentOf(to, true) }),
});

const keyOf = (filter: Filter): string => `admin:audit:${JSON.stringify(filter)}`;
const loadOf = (filter: Filter) => async () => {
  const [log, { users }] = await Promise.all([
    call('get', '/api/audit', { query: queryOf(filter) }),
    call('get', '/api/users', { query: { limit: 200 } }),
  ]);
  return { ...log, names: new Map(users.map(({ id, name }) => [id, name])) };
};

/** Reads the first entries before the page is shown. */
export const prepare = ({ query }: PageProps): Promise<void> =>
  preload(keyOf(filterOf(query)), ['user', 'plugin'], loadOf(filterOf(query)));

/** Who changed what, and when. */
export default function AuditPage({ query }: PageProps) {
  const filter = filterOf(query);
  const log = useResource(keyOf(filter), ['user', 'plugin'], loadOf(filter));
  return (
    <AdminPage title={t('admin.audit')}>
      <Ready of={log}>
        {({ entries, nextCursor, head, names }) => (
          <>
            <Filters filter={filter} names={names} />
            {entries.length === 0 && <Empty title={t('audit.none')} />}
            <Entries
              key={`${keyOf(filter)} ${entries[0]?.seq ?? 0}`}
              {...{ first: entries, nextCursor, filter, names }}
            />
            <VerifyAudit head={head} />
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function Filters({
  filter: { group, actor, from, to },
  names,
}: {
  readonly filter: Filter;
  readonly names: ReadonlyMap<string, string>;
}) {
  const set =
    (name: keyof Filter) =>
    ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      setQuery({ [name]: value === '' ? null : value });
  return (
    <div class="filters">
      <select aria-label={t('audit.group')} value={group} onChange={set('group')}>
        <option value="">{t('audit.all')}</option>
        {groups.map((one) => (
          <option key={one} value={one}>
            {t(`audit.group.${one}`)}
          </option>
        ))}
      </select>
      <select aria-label={t('audit.actor')} value={actor} onChange={set('actor')}>
        <option value="">{t('audit.everybody')}</option>
        {[...names].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="server">{t('audit.server')}</option>
        <option value="nobody">{t('audit.nobody')}</option>
      </select>
      <label>
        {t('audit.from')}
        <input type="date" value={from} onChange={set('from')} />
      </label>
      <label>
        {t('audit.to')}
        <input type="date" value={to} onChange={set('to')} />
      </label>
    </div>
  );
}

function Entries({
  first,
  nextCursor,
  filter,
  names,
}: {
  readonly first: readonly Entry[];
  readonly nextCursor: string | null;
  readonly filter: Filter;
  readonly names: ReadonlyMap<string, string>;
}) {
  const entries = useSignal(first);
  const cursor = useSignal(nextCursor);
  const more = () =>
    attempt(async () => {
      const reply = await call('get', '/api/audit', {
        query: { ...queryOf(filter), ...(cursor.value !== null && { cursor: cursor.value }) },
      });
      entries.value = [...entries.value, ...reply.entries];
      cursor.value = reply.nextCursor;
    });
  return (
    <>
      <ul class="lines">
        {entries.value.map((entry) => (
          <EntryLine key={entry.seq} entry={entry} names={names} />
        ))}
      </ul>
      {cursor.value !== null && (
        <p class="buttons">
          <Button icon="down" act={more}>
            {t('audit.more')}
          </Button>
        </p>
      )}
    </>
  );
}

function actorOf({ actor: { userId } }: Entry, names: ReadonlyMap<string, string>): string {
  if (userId === 'server') return t('audit.server');
  if (userId === 'nobody') return t('audit.nobody');
  return names.get(userId) ?? t('audit.formerUser');
}

function EntryLine({
  entry,
  names,
}: {
  readonly entry: Entry;
  readonly names: ReadonlyMap<string, string>;
}) {
  const { at, action, target, details, address } = entry;
  const [group = ''] = action.split('.');
  return (
    <li>
      <details class="entry">
        <summary>
          <strong>
            <bdi>{actorOf(entry, names)}</bdi>
          </strong>{' '}
          {findMessage(`audit.action.${action}`) ?? t('audit.other')}
          <small>
            {Array.isArray(details['acts']) &&
              ` · ${t('audit.repeated', { count: Number(details['count']) })}`}
            {' · '}
            {findMessage(`audit.group.${group}`) ?? group} ·{' '}
            {new Date(at).toLocaleString(locale.value, {
              dateStyle: 'medium',
              timeStyle: 'medium',
            })}
          </small>
        </summary>
        <dl class="facts-table">
          <Fact name={t('audit.exact')} value={action} />
          {target !== null && <Fact name={target.type} value={target.id} />}
          {address !== null && <Fact name={t('audit.address')} value={address} />}
          {Object.entries(details).map(([name, value]) => (
            <Fact
              key={name}
              name={name}
              value={typeof value === 'string' ? value : JSON.stringify(value)}
            />
          ))}
        </dl>
      </details>
    </li>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>
      <bdi>{name}</bdi>
    </dt>
    <dd>
      <bdi>{value}</bdi>
    </dd>
  </div>
);
