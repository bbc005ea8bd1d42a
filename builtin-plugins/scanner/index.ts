import { definePlugin } from '../../plugin-api/index.ts';
import { describeLibrary } from './describe-library.ts';
import { groupFiles } from './group-files.ts';
import { runScan } from './run-scan.ts';

export default definePlugin({
  methods: {
    'library.describe': describeLibrary,
    'library.group': groupFiles,
    'job.run': runScan,
  },
});
