import { definePlugin } from '@vitrine/plugin-api';
import { createBucket } from './bucket.ts';
import { list } from './list.ts';
import { parsePlace } from './place.ts';

export default definePlugin({
  methods: {
    'filesystem.validate': async ({ uri }, host) => {
      try {
        const { bucket, prefix } = parsePlace(uri);
        await createBucket(bucket, host).page({ prefix, maxKeys: 1 });
        return { ok: true };
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) };
      }
    },

    'filesystem.list': (input, host) => {
      const { bucket } = parsePlace(input.uri);
      return list(input, createBucket(bucket, host));
    },

    'filesystem.stat': async ({ uri }, host) => {
      const { bucket, key, prefix } = parsePlace(uri);
      const objects = createBucket(bucket, host);
      const object = key === '' ? null : await objects.head(key);
      if (object !== null) return { uri, kind: 'file', ...object };
      // A folder is not an object: it exists while there is an object below it.
      const { files } = await objects.page({ prefix, maxKeys: 1 });
      if (key === '' || files.length > 0) return { uri, kind: 'folder', size: 0, modifiedAt: 0 };
      throw Object.assign(new Error('The object does not exist.'), { code: 'not_found' });
    },

    'filesystem.read': ({ uri, offset, length }, host) => {
      const { bucket, key } = parsePlace(uri);
      return createBucket(bucket, host).read(key, offset, length);
    },

    'filesystem.getLocalPath': () => null,
  },
});
