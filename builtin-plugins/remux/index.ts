import { definePlugin } from '../../plugin-api/index.ts';
import { createOpenFiles } from './open-files.ts';
import { createTranscoding } from './transcoding.ts';

const { index, init, segment } = createTranscoding(createOpenFiles());

export default definePlugin({
  methods: { 'transcode.index': index, 'transcode.init': init, 'transcode.segment': segment },
});
