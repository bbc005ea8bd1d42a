import { KernelError } from '../../errors.ts';
import type { Installs } from './install.ts';
import type { SharedParts } from './installs-parts.ts';

/** Creates the function that removes a plugin with all its data. */
export function createUninstall(parts: SharedParts): Installs['remove'] {
  const { installed, order, swaps, packages, probations, queue } = parts;

  return (id, alongside) =>
    queue.exclusive(id, async () => {
      const plugin = packages.has(id) ? installed.find(id) : installed.get(id);
      if (plugin && plugin.package.type !== 'marketplace') {
        const how = plugin.package.type === 'builtin' ? 'disable it' : 'remove its folder';
        throw new KernelError(
          'conflict',
          `Plugin ${id} is not a marketplace plugin; ${how} instead.`,
        );
      }
      const needing = installed
        .all()
        .filter((other) => other.isUp && plugin && installed.needsOf(other).includes(plugin));
      if (needing.length > 0) {
        const names = needing.map((other) => other.id).join(', ');
        throw new KernelError('conflict', `Plugin ${id} is needed by ${names}; remove that first.`);
      }
      const wasUp = plugin?.isUp ?? false;
      probations.drop(id);
      await plugin?.supervisor.stop();
      try {
        await swaps.remove(id, alongside);
      } catch (error) {
        if (plugin && wasUp) await order.startIfReady(plugin);
        throw error;
      }
      parts.forgetIndex(id);
      packages.drop(id);
      installed.drop(id);
    });
}
