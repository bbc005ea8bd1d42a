import { hostService, type HostService } from '../../../kernel/index.ts';
import type { Disk } from './disk.ts';

/** The paths of a call: one or several. */
type Places = { readonly path: string } | { readonly paths: readonly string[] };

/** `host.disk`. Paths must be below the roots that a plugin was granted. */
export function createDiskService(
  disk: Omit<Disk, 'service'>,
  rootsOf: (pluginId: string) => readonly string[],
): HostService<'disk'> {
  const subject = (input: Places, pluginId: string): string | null => {
    const place = 'path' in input ? input.path : (input.paths[0] ?? '');
    const isBelow = (root: string): boolean => place === root || place.startsWith(`${root}/`);
    return rootsOf(pluginId).find(isBelow) ?? null;
  };
  return hostService('disk', {
    list: { subject, run: (input, { pluginId }) => disk.list(pluginId, input) },
    digest: { subject, run: (input, { pluginId }) => disk.digest(pluginId, input) },
    stat: { subject, run: ({ path }, { pluginId }) => disk.stat(pluginId, path) },
    read: { subject, run: (input, { pluginId }) => disk.read(pluginId, input) },
    resolve: {
      subject,
      run: async ({ path }, { pluginId }) => ({ path: await disk.resolve(pluginId, path) }),
    },
    changes: { subject, run: (input, caller) => disk.changes(caller, input) },
    unwatch: {
      subject,
      run: async ({ path }, { pluginId }) => {
        await disk.unwatch(pluginId, path);
        return null;
      },
    },
  });
}
