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
];

/** When the source made its index: the column holds one that was read and found good. */
function madeAt({ index_text: text }: CarriedRow): number {
  const { updatedAt } = JSON.parse(String(text)) as { readonly updatedAt: string };
  return Date.parse(updatedAt);
}
