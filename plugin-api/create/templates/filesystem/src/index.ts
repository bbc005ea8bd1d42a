import { definePlugin } from '@vitrine/plugin-api';
import type { Configuration } from './configuration.ts';
import { list } from './list.ts';
import { createWebFiles, fault } from './web-files.ts';

export default definePlugin<Configuration>({
  methods: {
    /** Whether a library may have its root here. */
    'filesystem.validate': async ({ uri }, host) => {
      try {
        await createWebFiles(host).list(uri);
        return { ok: true };
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) };
      }
    },

    'filesystem.list': (input, host) => list(input, createWebFiles(host)),

    /** A web server describes a file in the listing of its folder. */
    'filesystem.stat': async ({ uri }, host) => {
      const files = createWebFiles(host);
      if (files.isTop(uri)) {
        await files.list(uri);
        return { uri, kind: 'folder', size: 0, modifiedAt: 0 };
      }
      const entries = await files.list(uri.slice(0, uri.lastIndexOf('/')));
      const found = entries.find((entry) => entry.uri === uri);
      return found ?? Promise.reject(fault('not_found', 'There is no such file.'));
    },

    'filesystem.read': ({ uri, offset, length }, host) =>
      createWebFiles(host).read(uri, offset, length),

    'filesystem.getLocalPath': () => null,
  },
});
