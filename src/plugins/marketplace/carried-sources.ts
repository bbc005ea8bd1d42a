/** The marketplace after a restore: an older index never replaces one that was known. */
import { carriedTable, type CarriedRow, type CarryOver } from '../../../kernel/store/index.ts';

/** The tables with revocations and rollback guards. */
export const carriedSources: readonly CarryOver[] = [
  carriedTable({
    label: 'Marketplace sources that stay removed, or have the newer index',
    table: 'marketplace_sources',
    key: ['id'],
    gone: 'removed',
    kept: (own, replaced) => (madeAt(replaced) > madeAt(own) ? replaced : {}),
    nameOf: ({ url }) => String(url),
  }),
  carriedTable({
    label: 'Marketplace indexes with a later known sequence',
    table: 'marketplace_indexes',
    key: ['source_key', 'index_id'],
    kept: (own, replaced) =>
      Number(replaced['sequence']) > Number(own['sequence']) ? replaced : {},
    added: 'always',
    nameOf: ({ index_id: id }) => String(id),
  }),
  carriedTable({
    label: 'Revocations of marketplace sources',
    table: 'marketplace_revocations',
    key: ['source_key', 'index_id', 'kind', 'subject'],
    kept: (_own, replaced) => replaced,
    added: 'always',
    nameOf: ({ kind, plugin_id: id, version, subject }) =>
      kind === 'key' ? `key ${String(subject)}` : `${String(id)} ${String(version)}`,
  }),
  carriedTable({
    label: 'Replaced keys of publishers',
    table: 'marketplace_rotations',
    key: ['from_key'],
    kept: (_own, replaced) => replaced,
    added: 'always',
  }),
];

/** When the source created its index. The column contains a validated index. */
function madeAt({ index_text: text }: CarriedRow): number {
  const { updatedAt } = JSON.parse(String(text)) as { readonly updatedAt: string };
  return Date.parse(updatedAt);
}
