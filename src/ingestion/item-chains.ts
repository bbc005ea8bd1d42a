import type { Log } from '../../kernel/index.ts';
import type { HookName, ItemHookInput } from '../../plugin-api/index.ts';
import { createSlots } from './slots.ts';
import { additionsOf, noAdditions, type Additions, type Writer } from './draft.ts';

type ItemHook = Extract<HookName, 'pipeline.probe.afterProcess' | 'pipeline.index.afterProcess'>;

/** The chains that items go through. */
export interface ItemHookChains {
  readonly hasSubscribers: (name: ItemHook) => boolean;
  readonly requiresLocalFile: (name: ItemHook) => boolean;
  readonly run: (
    name: ItemHook,
    input: ItemHookInput,
  ) => Promise<{ readonly output: ItemHookInput; readonly provenance: readonly Writer[] }>;
}

/** Lets plugins add to items on their way. */
export interface ItemChains {
  /**
   * What each of the items has won, in their order; many are on their way at once, so that their calls
   * share a crossing. Items are made into bundles only when somebody subscribed.
   */
  readonly run: <Item>(
    name: ItemHook,
    items: readonly Item[],
    toInput: (item: Item) => ItemHookInput,
  ) => Promise<readonly Additions[]>;
  /** Whether somebody who subscribed to one of the hooks needs the files on this machine. */
  readonly needsLocalFiles: () => boolean;
}

/**
 * A plugin may have 64 calls of the host under way, and a hook that reads what lies beside its item
 * makes a few: so many items can be with it at a time.
 */
const itemsAtOnce = 16;

export function createItemChains({
  hooks,
  log,
}: {
  readonly hooks: ItemHookChains;
  readonly log: Log;
}): ItemChains {
  const slots = createSlots(itemsAtOnce);

  async function runOne(name: ItemHook, input: ItemHookInput): Promise<Additions> {
    try {
      const { output, provenance } = await hooks.run(name, input);
      if (provenance.length === 0) return noAdditions;
      return additionsOf(input.bundle, output.bundle, provenance);
    } catch (cause) {
      const { itemId } = input;
      log.warn({ itemId, hook: name, err: cause }, 'The hooks of an item failed; it goes on');
      return noAdditions;
    }
  }

  return {
    run: async (name, items, toInput) => {
      if (!hooks.hasSubscribers(name)) return items.map(() => noAdditions);
      return Promise.all(items.map((item) => slots.run(() => runOne(name, toInput(item)))));
    },
    needsLocalFiles: () =>
      hooks.requiresLocalFile('pipeline.probe.afterProcess') ||
      hooks.requiresLocalFile('pipeline.index.afterProcess'),
  };
}
