import { KernelError } from '../../../kernel/index.ts';
import type { DryRun, Grants } from '../../../kernel/run/index.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import type { DryRunQuery } from '../../contract/resources/plugins/plugins.ts';

/**
 * Lists the calls of a plugin's last run that another grant would have refused, in the
 * language of the reader; changes nothing.
 */
export type PluginDryRun = (
  id: string,
  query: DryRunQuery,
  locale?: string | null,
) => Promise<DryRun>;

/**
 * Creates it. `offered` returns the permissions of a version in a source, and throws for an unknown
 * one.
 */
export function createPluginDryRun(parts: {
  readonly plugins: { readonly grants: Pick<Grants, 'dryRun'> };
  readonly offered: (id: string, version: string) => Permissions;
}): PluginDryRun {
  return async (id, { granted, libraries, version }, locale = null) =>
    parts.plugins.grants.dryRun(id, {
      locale,
      ...(granted !== undefined && {
        granted: parsed(granted, 'granted', '{"net":["a.example"]}'),
      }),
      ...(libraries !== undefined && {
        reach:
          libraries === 'all'
            ? libraries
            : parsed(libraries, 'libraries', 'all, or [{"id":"<library>"}]'),
      }),
      ...(version !== undefined && { asked: parts.offered(id, version) }),
    });
}

function parsed(text: string, key: string, right: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KernelError('invalid_argument', `query.${key} is not JSON; right is ${right}.`);
  }
}
