/**
 * Accounts after a restore. A restore must not give access to anyone who had none just before it.
 * Passwords, PINs, passkeys and rights come from the replaced database. A user who was removed
 * there returns with their data, but disabled: an admin can enable the account.
 */
import {
  carriedTable,
  emptiedTable,
  type CarriedRow,
  type CarryOver,
} from '../../../kernel/store/index.ts';

/** Guarantees also that there is an admin afterwards. */
export const carriedAccounts: readonly CarryOver[] = [
  emptiedTable('Sessions that ended', 'sessions'),
  emptiedTable('Profiles that ask for their PIN again', 'profile_unlocks'),
  carriedTable({
    label: 'Users with their latest password, role and access; removed ones are disabled',
    table: 'users',
    key: ['id'],
    gone: { disabled: 1 },
    kept: (own, replaced) => ({
      role: lowerRole(own['role'], replaced['role']),
      disabled: Math.max(Number(own['disabled']), Number(replaced['disabled'])),
      password_hash: replaced['password_hash'],
      requires_passkey: replaced['requires_passkey'],
      library_access: replaced['library_access'],
      group_ids: replaced['group_ids'],
    }),
    nameOf: ({ name }) => String(name),
  }),
  carriedTable({
    label: 'Groups with their latest access',
    table: 'access_groups',
    key: ['id'],
    kept: (_own, { library_access: access }) => ({ library_access: access }),
    nameOf: ({ name }) => String(name),
  }),
  carriedTable({
    label: 'Profiles with their latest PIN and access',
    table: 'profiles',
    key: ['id'],
    kept: (own, replaced) => ({
      library_access: replaced['library_access'],
      pin_hash: replaced['pin_hash'] ?? own['pin_hash'],
      pin_tries: replaced['pin_tries'],
      pin_blocked_until: replaced['pin_blocked_until'],
    }),
    nameOf: ({ name }) => String(name),
  }),
  carriedTable({
    label: 'API keys that stay removed',
    table: 'api_keys',
    key: ['id'],
    gone: 'removed',
    nameOf: ({ name }) => String(name),
  }),
  carriedTable({
    label: 'Passkeys that stay removed, or were added since',
    table: 'passkeys',
    key: ['id'],
    gone: 'removed',
    added: { column: 'user_id', in: 'users' },
    kept: (own, replaced) => ({
      counter: Math.max(Number(own['counter']), Number(replaced['counter'])),
    }),
    nameOf: ({ name }) => String(name),
  }),
  carriedTable({
    label: 'Invites that stay used or removed',
    table: 'invites',
    key: ['id'],
    gone: 'removed',
    kept: (own, replaced) => ({
      use_count: Math.max(Number(own['use_count']), Number(replaced['use_count'])),
    }),
    nameOf: ({ token_end: end }) => `…${String(end)}`,
  }),
  {
    label: 'The latest admins, because the backup has none who can sign in',
    carry: async ({ replaced, trx }) => {
      const isThere: unknown = await trx('users').where({ role: 'admin', disabled: 0 }).first('id');
      if (isThere !== undefined) return [];
      const admins: readonly CarriedRow[] = await replaced('users').where({
        role: 'admin',
        disabled: 0,
      });
      for (const admin of admins) await bringOver(admin, { replaced, trx });
      return admins.map(({ name }) => String(name));
    },
  },
];

const ranks: readonly unknown[] = ['guest', 'user', 'admin'];

const lowerRole = (one: unknown, other: unknown): unknown =>
  ranks.indexOf(one) < ranks.indexOf(other) ? one : other;

type Databases = Pick<Parameters<CarryOver['carry']>[0], 'replaced' | 'trx'>;

/**
 * Brings the admin over with profiles and passkeys if the backup does not have the user; otherwise
 * only the admin role.
 */
async function bringOver(admin: CarriedRow, { replaced, trx }: Databases): Promise<void> {
  const { id } = admin;
  const count = await trx('users').where({ id }).update({ role: 'admin', disabled: 0 });
  if (count > 0) return;
  const isTaken: unknown = await trx('users').where({ name_key: admin['name_key'] }).first('id');
  const end = isTaken === undefined ? '' : ` ${String(id).slice(-6)}`;
  const named = {
    name: `${String(admin['name'])}${end}`,
    name_key: `${String(admin['name_key'])}${end}`,
  };
  await trx('users').insert({ ...admin, ...named });
  for (const table of ['profiles', 'passkeys']) {
    const rows: readonly CarriedRow[] = await replaced(table).where({ user_id: id });
    for (const row of rows) await trx(table).insert(row);
  }
}
