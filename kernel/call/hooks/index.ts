export { createHookChains } from './hook-chains.ts';
export type { HookChains, HookRun } from './hook-chains.ts';
export { mergeDelta } from './merge-delta.ts';
