/** What counts of identities after a restore: a key, link or device that was given up stays so. */
import { carriedTable, emptiedTable, type CarryOver } from '../../kernel/index.ts';

/** Feeds are read again from where the backup was, and what they take back is known already. */
export const carriedIdentities: readonly CarryOver[] = [
  emptiedTable('Sessions of identities that ended', 'identity_sessions'),
  carriedTable({
    label: 'Identities that stay unlinked, or have the key of just before',
    table: 'identity_links',
    key: ['id'],
    gone: { state: 'unlinked' },
    kept: (_own, { state, user_pub_key, follow_rotation, link_grant, grant_iat }) => ({
      ...{ state, user_pub_key, follow_rotation, link_grant, grant_iat },
    }),
  }),
  carriedTable({
    label: 'Keys of identities that were given up',
    table: 'identity_former_keys',
    key: ['user_pub_key'],
    added: { column: 'link_id', in: 'identity_links' },
    kept: (_own, { accepted_until: until }) => ({ accepted_until: until }),
  }),
  carriedTable({
    label: 'Devices of identities that stay revoked',
    table: 'identity_revocations',
    key: ['user_pub_key', 'client_id', 'payload_hash'],
    added: 'always',
    nameOf: ({ client_id: id }) => String(id),
  }),
];
