/** Identities after a restore: a key, link or device that was revoked stays revoked. */
import { carriedTable, emptiedTable, type CarryOver } from '../../../kernel/store/index.ts';

/** Feeds are read again from the position of the backup; known revocations are kept. */
export const carriedIdentities: readonly CarryOver[] = [
  emptiedTable('Sessions of identities that ended', 'identity_sessions'),
  carriedTable({
    label: 'Identities that stay unlinked, or keep their latest key',
    table: 'identity_links',
    key: ['id'],
    gone: { state: 'unlinked' },
    kept: (_own, { state, user_pub_key, follow_rotation, link_grant, grant_iat }) => ({
      state,
      user_pub_key,
      follow_rotation,
      link_grant,
      grant_iat,
    }),
  }),
  carriedTable({
    label: 'Replaced keys of identities',
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
