import { carriedPlugins, type CarryOver } from '../../kernel/index.ts';
import { carriedAccounts } from '../accounts/index.ts';
import { carriedIdentities } from '../identity/index.ts';
import { carriedLibraries } from '../library/index.ts';
import { carriedSources } from '../marketplace/index.ts';

/**
 * What a restored database keeps of the one that it replaces, in this order. A table that says what was
 * taken back, or what is known for ever, belongs in the list of its part.
 */
export const carryOvers: readonly CarryOver[] = [
  ...carriedAccounts,
  ...carriedIdentities,
  ...carriedPlugins,
  ...carriedSources,
  ...carriedLibraries,
];
