import { createPluginViewers } from '../../src/plugin-reach/index.ts';

/** People as plugins are called for them, under a key of zeros. */
export const testPluginViewers = () => createPluginViewers(Buffer.alloc(32));
