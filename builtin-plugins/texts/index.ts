import { definePlugin } from '../../plugin-api/index.ts';
import { convertText } from './convert.ts';
import { readLyrics } from './lyrics.ts';

export default definePlugin({
  methods: { 'texts.convert': convertText, 'texts.lyrics': readLyrics },
});
