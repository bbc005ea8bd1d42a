/** What counts of the marketplace after a restore: an index that was known is not undone by an older one. */
import { carriedTable, type CarriedRow, type CarryOver } from '../../kernel/index.ts';

/** Each table that a revocation or a rollback guard stands in. */
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
    label: 'Marketplace indexes of which a later one was seen',
    table: 'marketplace_indexes',
    key: ['source_key', 'index_id'],
    kept: (own, replaced) =>
      Number(replaced['sequence']) > Number(own['sequence']) ? replaced : {},
    added: 'always',
    nameOf: ({ index_id: id }) => String(id),
  }),
  carriedTable({
    label: 'What marketplace sources have revoked',
    table: 'marketplace_revocations',
    key: ['source_key', 'index_id', 'kind', 'subject'],
    kept: (_own, replaced) => replaced,
    added: 'always',
    nameOf: ({ kind, plugin_id: id, version, subject }) =>
      kind === 'key' ? `key ${String(subject)}` : `${String(id)} ${String(version)}`,
  }),
  carriedTable({
    label: 'Keys of publishers that were left',
    table: 'marketplace_rotations',
    key: ['from_key'],
    kept: (_own, replaced) => replaced,
    added: 'always',
  }),
];

/** When the source made its index: the column holds one that was read and found good. */
function madeAt({ index_text: text }: CarriedRow): number {
  const { updatedAt } = JSON.parse(String(text)) as { readonly updatedAt: string };
  return Date.parse(updatedAt);
}
