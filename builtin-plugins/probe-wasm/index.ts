import { definePlugin } from '../../plugin-api/index.ts';
import { artwork } from './artwork.ts';
import { probeFiles } from './probe-files.ts';

export default definePlugin({
  methods: { 'probe.probe': probeFiles, 'probe.artwork': artwork },
});
