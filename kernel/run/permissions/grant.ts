import type { Permissions } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import type { ReachPolicy } from '../../call/reach.ts';
import type { ManifestReader } from '../manifest/manifest.ts';
import { clamp, excess } from '../powers/permissions.ts';
import type { PluginGrant } from '../powers/plugin-grant.ts';

/** An admin's decision, unparsed. */
export interface GivenGrant {
  readonly granted: unknown;
  /** What the plugin may touch; unchanged when absent, so that nothing widens by omission. */
  readonly reach?: unknown;
}

/** What parsing a grant needs. */
export interface GrantParts {
  readonly reader: ManifestReader;
  readonly judge: Pick<ReachPolicy, 'parse'>;
  /** The decision before this one. */
  readonly before: PluginGrant | null;
}

/**
 * What an admin grants of what a plugin asks for. Rejects with `invalid_argument` when it is more
 * than that.
 */
export async function parseGrant(
  { id, permissions: asked }: { readonly id: string; readonly permissions: Permissions },
  given: GivenGrant,
  { reader, judge, before }: GrantParts,
): Promise<PluginGrant> {
  const parsed = reader.parsePermissions(given.granted);
  if (!parsed.ok) throw new KernelError('invalid_argument', parsed.faults.join(' '));
  const tooMuch = excess(parsed.value, asked);
  if (tooMuch.length > 0) {
    throw new KernelError(
      'invalid_argument',
      `Plugin ${id} does not ask for that much: ${tooMuch.join('; ')}.`,
    );
  }
  const reach =
    given.reach === undefined ? (before?.reach ?? 'all') : await judge.parse(given.reach);
  return { asked, granted: clamp(parsed.value, asked), reach };
}
