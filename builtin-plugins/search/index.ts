import { definePlugin } from '../../plugin-api/index.ts';
import { createFollower } from './follower.ts';
import { createLibraryEvents, updateIndex } from './library-events.ts';
import { query } from './query.ts';

const follower = createFollower();
const { afterChange, duringScan, afterScan } = createLibraryEvents(follower);

export default definePlugin({
  events: {
    'library.item.updated': afterChange,
    'library.item.removed': afterChange,
    'library.scan.started': duringScan,
    'library.scan.progress': duringScan,
    'library.scan.completed': afterScan,
    'library.deleted': afterChange,
  },
  methods: {
    'search.index': updateIndex(follower),
    'search.query': query,
  },
});
