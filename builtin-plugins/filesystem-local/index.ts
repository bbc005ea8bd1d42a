import { definePlugin } from '../../plugin-api/index.ts';
import { getLocalPath, getLocalPaths } from './get-local-path.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { stat } from './stat.ts';
import { validate } from './validate.ts';
import { unwatch, watch } from './watch.ts';

export default definePlugin({
  methods: {
    'filesystem.validate': validate,
    'filesystem.list': list,
    'filesystem.stat': stat,
    'filesystem.read': read,
    'filesystem.watch': watch,
    'filesystem.unwatch': unwatch,
    'filesystem.getLocalPath': getLocalPath,
    'filesystem.getLocalPaths': getLocalPaths,
  },
});
