/** The person for whom a plugin reads and changes, within what was granted to the plugin. */
import { KernelError, type HostCaller } from '../../../kernel/index.ts';
import type { MediaScope, MediaScopeFor } from '../../library/catalogue/media/index.ts';

/** What the plugin and the person may both see. */
export type Person = Pick<MediaScope, 'viewer' | 'within'> & {
  /** Whether the plugin may see all libraries. */
  readonly isUnlimited: boolean;
};

/** The person of a call. Throws `invalid_argument` when no person caused it. */
export type PersonOf = (caller: HostCaller) => Person;

export const createPersonOf =
  (scopeFor: MediaScopeFor): PersonOf =>
  (caller) => {
    const scope = scopeFor(caller);
    if (scope?.isPerson === true) return { ...scope, isUnlimited: caller.reach === 'all' };
    throw new KernelError(
      'invalid_argument',
      'No person caused this call: act for one that agreed, with host.as(profile). host.viewing.profiles has them.',
    );
  };

/** Throws `not_found` for an item in a library that is granted by folders, outside of these. */
export async function assertWithin({ within }: Person, itemIds: readonly string[]): Promise<void> {
  const found = within === null ? [] : await within(itemIds);
  const beyond = itemIds.find((_, at) => found[at] === false);
  if (beyond !== undefined) throw new KernelError('not_found', `Item ${beyond}`);
}
