import type { BundleEntity } from '../../../plugin-api/index.ts';
import { compact } from './identify-context.ts';

/** An entity from a name: known only by that name, to be completed by other sources. */
export function pendingEntity(
  type: string,
  name: string,
  metadata: Readonly<Record<string, unknown>> = {},
): BundleEntity {
  const known = compact(metadata);
  const entity = { name, type, status: 'pending', source: 'identify' };
  return Object.keys(known).length === 0 ? entity : { ...entity, metadata: known };
}
