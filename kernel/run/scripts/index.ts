export { nodeModuleHint } from './node-modules.ts';
export { createPacker, topLevelAwait } from './packer.ts';
