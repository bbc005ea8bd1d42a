import type { CarryOver } from '../../kernel/store/index.ts';
import { carriedPlugins } from '../../kernel/run/index.ts';
import { carriedAccounts } from '../people/accounts/index.ts';
import { carriedIdentities } from '../people/identity/index.ts';
import { carriedLibraries } from '../library/catalogue/index.ts';
import { carriedServers } from '../platform/cluster/index.ts';
import { carriedSources } from '../plugins/marketplace/index.ts';

/**
 * What a restored database keeps of the one that it replaces, in this order. A table of revocations
 * or of permanent records belongs in the list of its domain.
 */
export const carryOvers: readonly CarryOver[] = [
  ...carriedAccounts,
  ...carriedIdentities,
  ...carriedPlugins,
  ...carriedSources,
  ...carriedLibraries,
  ...carriedServers,
];
