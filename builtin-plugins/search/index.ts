import { definePlugin } from '../../plugin-api/index.ts';
import { createFollower } from './follower.ts';
import { afterLibraryChange, updateIndex } from './keep-up.ts';
import { query } from './query.ts';

const follower = createFollower();
const afterChange = afterLibraryChange(follower);

export default definePlugin({
  events: {
    'library.item.added': afterChange,
    'library.item.updated': afterChange,
    'library.item.removed': afterChange,
    'library.item.enriched': afterChange,
    'library.scan.completed': afterChange,
    'library.deleted': afterChange,
  },
  methods: {
    'search.index': updateIndex(follower),
    'search.query': query,
  },
});
