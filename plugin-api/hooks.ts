import type { Bundle, BundleDelta } from './bundle.ts';

/** Input of `pipeline.scan.prepare`. */
export interface ScanPrepareInput {
  readonly libraryType: string;
  /** Id of the filesystem plugin that holds the library. */
  readonly fsPlugin: string;
}

/** What `pipeline.scan.prepare` may add: extensions (a leading dot is ignored), globs relative to the root. */
export interface ScanPrepareDelta {
  readonly extensions?: readonly string[];
  readonly patterns?: readonly string[];
}

/** Input of the two item hooks. */
export interface ItemHookInput {
  readonly itemId: string;
  readonly bundle: Bundle;
}

/**
 * The hooks: blocking steps that run one subscriber after the other in ascending order. Each has
 * 30 s; a throw or a time-out is tried once more, then the subscriber is skipped and the chain goes
 * on. `null` means no change.
 */
export interface HookCatalogue {
  /**
   * Once per library at the start of a scan, before any folder is read, and once more when the plugin
   * ended meanwhile. The scan waits for a restarting plugin, 60 s at most. While it does not answer,
   * or throws, the files that only it lists stay in the library.
   */
  readonly 'pipeline.scan.prepare': {
    readonly input: ScanPrepareInput;
    readonly delta: ScanPrepareDelta;
  };
  /** After the probe of an item. */
  readonly 'pipeline.probe.afterProcess': {
    readonly input: ItemHookInput;
    readonly delta: BundleDelta;
  };
  /** After an indexer has identified an item, before that is stored. */
  readonly 'pipeline.index.afterProcess': {
    readonly input: ItemHookInput;
    readonly delta: BundleDelta;
  };
  /** Planned: subscriptions are accepted, but it is never dispatched. */
  readonly 'pipeline.item.beforeActivate': {
    readonly input: ItemHookInput;
    readonly delta: { readonly activate: boolean };
  };
}

/** The name of a hook. */
export type HookName = keyof HookCatalogue;

/** Every hook name of the specification, in its order. */
export const hookNames = [
  'pipeline.scan.prepare',
  'pipeline.probe.afterProcess',
  'pipeline.index.afterProcess',
  'pipeline.item.beforeActivate',
] as const satisfies readonly HookName[];
