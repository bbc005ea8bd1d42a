import { KernelError } from '../errors.ts';
import type { Installs } from './install.ts';
import type { SharedParts } from './installs-parts.ts';

/** Creates the one function that removes a plugin with everything that belongs to it. */
export function createInstallRemoval(parts: SharedParts): Installs['remove'] {
  const { roster, order, swaps, packages, trials, turns } = parts;

  return (id, alongside) =>
    turns.alone(id, async () => {
      const plugin = packages.has(id) ? roster.find(id) : roster.get(id);
      if (plugin && plugin.package.type !== 'marketplace') {
        const how = plugin.package.type === 'builtin' ? 'disable it' : 'remove its folder';
        throw new KernelError('conflict', `Plugin ${id} came with no package; ${how} instead.`);
      }
      const needing = roster
        .all()
        .filter((other) => other.isUp && plugin && roster.needsOf(other).includes(plugin));
      if (needing.length > 0) {
        const names = needing.map((other) => other.id).join(', ');
        throw new KernelError('conflict', `Plugin ${id} is needed by ${names}; remove that first.`);
      }
      const wasUp = plugin?.isUp ?? false;
      trials.drop(id);
      await plugin?.supervisor.stop();
      try {
        await swaps.remove(id, alongside);
      } catch (error) {
        if (plugin && wasUp) await order.startIfReady(plugin);
        throw error;
      }
      parts.forgetIndex(id);
      packages.drop(id);
      roster.drop(id);
    });
}
