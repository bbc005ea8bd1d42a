import type { Permissions } from '../../plugin-api/index.ts';
import { KernelError } from '../errors.ts';
import type { ManifestReader } from './manifest.ts';
import { clamp, excess } from './permissions.ts';
import type { PluginGrant } from './plugin-store.ts';

/** What an admin grants of what a plugin asks for. Throws `invalid_argument` for what is no part of it. */
export function parseGrant(
  { id, permissions: asked }: { readonly id: string; readonly permissions: Permissions },
  input: unknown,
  reader: ManifestReader,
): PluginGrant {
  const parsed = reader.parsePermissions(input);
  if (!parsed.ok) throw new KernelError('invalid_argument', parsed.faults.join(' '));
  const tooMuch = excess(parsed.value, asked);
  if (tooMuch.length === 0) return { asked, granted: clamp(parsed.value, asked) };
  throw new KernelError(
    'invalid_argument',
    `Plugin ${id} does not ask for that much: ${tooMuch.join('; ')}.`,
  );
}
