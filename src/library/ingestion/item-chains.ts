import { createSemaphore } from '../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../../kernel/index.ts';
import type { HookName, ItemHookInput } from '../../../plugin-api/index.ts';
import { additionsOf, noAdditions, type Additions, type Writer } from './metadata-merge.ts';

type ItemHook = Extract<HookName, 'pipeline.probe.afterProcess' | 'pipeline.index.afterProcess'>;

export interface ItemHookChains {
  readonly hasSubscribers: (name: ItemHook) => boolean;
  readonly requiresLocalFile: (name: ItemHook) => boolean;
  readonly runAll: (
    name: ItemHook,
    inputs: readonly ItemHookInput[],
  ) => Promise<
    readonly { readonly output: ItemHookInput; readonly provenance: readonly Writer[] }[]
  >;
}

/** Lets plugins add to items during an ingest. */
export type ItemChains = ReturnType<typeof createItemChains>;

/**
 * How many items run at a time: a plugin may have 64 host calls under way, and a hook that reads
 * the files beside its item makes one or two at a time.
 */
const groupItems = 16;
const groupsAtOnce = 2;

export function createItemChains({
  hooks,
  log,
}: {
  readonly hooks: ItemHookChains;
  readonly log: Log;
}) {
  const semaphore = createSemaphore(groupsAtOnce);

  async function runGroup(
    name: ItemHook,
    inputs: readonly ItemHookInput[],
  ): Promise<readonly Additions[]> {
    try {
      const runs = await hooks.runAll(name, inputs);
      return inputs.map((input, at) => {
        const run = runs[at];
        if (run === undefined || run.provenance.length === 0) return noAdditions;
        return additionsOf(input.bundle, run.output.bundle, run.provenance);
      });
    } catch (cause) {
      const items = inputs.map(({ itemId }) => itemId);
      log.warn(
        { items, hook: name, err: cause },
        'The hooks of items failed; the items continue without',
      );
      return inputs.map(() => noAdditions);
    }
  }

  return {
    /**
     * The additions for each item, in their order. Many items run at the same time, so that their
     * calls share batches. Bundles are made only if a plugin subscribed.
     */
    run: async <Item>(
      name: ItemHook,
      items: readonly Item[],
      toInput: (item: Item) => ItemHookInput,
    ): Promise<readonly Additions[]> => {
      if (!hooks.hasSubscribers(name)) return items.map(() => noAdditions);
      const groups: Promise<readonly Additions[]>[] = [];
      for (let at = 0; at < items.length; at += groupItems) {
        const group = items.slice(at, at + groupItems);
        groups.push(semaphore.run(() => runGroup(name, group.map(toInput))));
      }
      return (await Promise.all(groups)).flat();
    },
    /** Whether a plugin that subscribed to one of the hooks needs the files on this machine. */
    needsLocalFiles: (): boolean =>
      hooks.requiresLocalFile('pipeline.probe.afterProcess') ||
      hooks.requiresLocalFile('pipeline.index.afterProcess'),
  };
}
