export { createPacker, topLevelAwait } from './packer.ts';
