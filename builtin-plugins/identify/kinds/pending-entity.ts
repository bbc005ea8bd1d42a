import type { BundleEntity } from '../../../plugin-api/index.ts';
import { compact } from './identify-context.ts';

/** An entity as a name gives it: known by that name alone, to be completed by others. */
export function pendingEntity(
  type: string,
  name: string,
  metadata: Readonly<Record<string, unknown>> = {},
): BundleEntity {
  const known = compact(metadata);
  const entity = { name, type, status: 'pending', source: 'identify' };
  return Object.keys(known).length === 0 ? entity : { ...entity, metadata: known };
}
