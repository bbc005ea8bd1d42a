import { definePlugin } from '../../plugin-api/index.ts';
import { isReadable } from './identify-file.ts';
import { indexFiles } from './index-files.ts';

export default definePlugin({
  methods: {
    'indexer.supports': ({ libraryType }) => isReadable(libraryType),
    'indexer.index': indexFiles,
  },
});
