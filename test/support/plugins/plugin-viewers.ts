import { createPluginViewers } from '../../../src/plugins/scopes/index.ts';

/** People as plugins are called for them, under a key of zeros. */
export const testPluginViewers = () => createPluginViewers(Buffer.alloc(32));
