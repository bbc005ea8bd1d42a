export { createHookChains } from './hook-chains.ts';
export type { HookChains, HookChainsParts, HookRun, SkippedSubscriber } from './hook-chains.ts';
export type { HookOutputs } from './hook-rules.ts';
export { mergeDelta } from './merge-delta.ts';
export type { Provenance } from './provenance.ts';
