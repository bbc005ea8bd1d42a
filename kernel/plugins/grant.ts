import type { Permissions } from '../../plugin-api/index.ts';
import { KernelError } from '../errors.ts';
import type { ReachPolicy } from '../reach.ts';
import type { ManifestReader } from './manifest.ts';
import { clamp, excess } from './permissions.ts';
import type { PluginGrant } from './plugin-store.ts';

/** What an admin decides: both in the form in which it came. */
export interface GivenGrant {
  readonly granted: unknown;
  /** What the plugin may touch; as it was when absent, so that nothing widens unsaid. */
  readonly reach?: unknown;
}

/** What a grant is read with. */
export interface GrantParts {
  readonly reader: ManifestReader;
  readonly judge: Pick<ReachPolicy, 'parse'>;
  /** What was decided before. */
  readonly before: PluginGrant | null;
}

/** What an admin grants of what a plugin asks for. Rejects with `invalid_argument` for what is no part of it. */
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
