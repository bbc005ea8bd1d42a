import { bundleDeltaSchema, scanPrepareDeltaSchema } from '../../../manifests-schema/index.ts';
import type {
  HookCatalogue,
  HookName,
  ItemHookInput,
  ScanPrepareDelta,
  ScanPrepareInput,
} from '../../../plugin-api/index.ts';
import { createDeltaCheck, type DeltaCheck } from './delta-check.ts';
import { mergeDelta, mergeScanDelta } from './merge-delta.ts';
import { bundlePaths, scanPaths } from './provenance.ts';

/** The output of a chain: its input with all deltas merged into it. */
export interface HookOutputs {
  readonly 'pipeline.scan.prepare': ScanPrepareInput & Required<ScanPrepareDelta>;
  readonly 'pipeline.probe.afterProcess': ItemHookInput;
  readonly 'pipeline.index.afterProcess': ItemHookInput;
  readonly 'pipeline.item.beforeActivate': ItemHookInput;
}

/** What subscribers of a hook see: the input with the deltas of earlier subscribers. */
export interface HookStates extends Omit<HookOutputs, 'pipeline.scan.prepare'> {
  readonly 'pipeline.scan.prepare': ScanPrepareInput & ScanPrepareDelta;
}

/** How the chain of one hook works. */
export interface HookRule<Input, Delta, State, Output> {
  /** Whether the server runs the chain at all. */
  readonly isDispatched: boolean;
  readonly check: DeltaCheck<Delta>;
  readonly start: (input: Input) => State;
  /** The paths that the delta writes when it is merged into the state. */
  readonly paths: (state: State, delta: Delta) => readonly string[];
  /** Pure. */
  readonly merge: (state: State, delta: Delta) => State;
  readonly finish: (state: State) => Output;
}

export type HookRuleOf<Name extends HookName> = HookRule<
  HookCatalogue[Name]['input'],
  HookCatalogue[Name]['delta'],
  HookStates[Name],
  HookOutputs[Name]
>;

/** The rule of every hook. */
export type HookRules = { readonly [Name in HookName]: HookRuleOf<Name> };

export function createHookRules(): HookRules {
  const item = itemRule();
  return {
    'pipeline.scan.prepare': scanRule(),
    'pipeline.probe.afterProcess': item,
    'pipeline.index.afterProcess': item,
    'pipeline.item.beforeActivate': plannedRule,
  };
}

function scanRule(): HookRuleOf<'pipeline.scan.prepare'> {
  return {
    isDispatched: true,
    check: createDeltaCheck<ScanPrepareDelta>({
      schema: scanPrepareDeltaSchema,
      inputKeys: ['libraryType', 'fsPlugin'],
      example: '{"extensions": ["cbz"]}',
    }),
    merge: mergeScanDelta,
    paths: scanPaths,
    start: (input) => input,
    finish: (state) => ({
      ...state,
      extensions: state.extensions ?? [],
      patterns: state.patterns ?? [],
    }),
  };
}

function itemRule(): HookRuleOf<'pipeline.probe.afterProcess'> {
  return {
    isDispatched: true,
    check: createDeltaCheck({
      schema: bundleDeltaSchema,
      inputKeys: ['itemId', 'bundle'],
      splitKey: 'files',
      example: '{"fields": {"year": 1999}}',
    }),
    merge: ({ itemId, bundle }, delta) => ({ itemId, bundle: mergeDelta(bundle, delta) }),
    paths: ({ bundle }, delta) => bundlePaths(bundle, delta),
    start: (input) => input,
    finish: (state) => state,
  };
}

/** Subscriptions to `pipeline.item.beforeActivate` are accepted, but the hook is never dispatched. */
const plannedRule: HookRuleOf<'pipeline.item.beforeActivate'> = {
  isDispatched: false,
  check: () => ({ ok: false, reason: 'is the answer to a hook that is never dispatched' }),
  merge: (state) => state,
  paths: () => [],
  start: (input) => input,
  finish: (state) => state,
};
