import { definePlugin } from '../../plugin-api/index.ts';
import { artwork } from './artwork.ts';
import { probeFiles } from './probe-files.ts';
import { embeddedFonts, embeddedSubtitle, embeddedText } from './text/embedded-text.ts';

export default definePlugin({
  methods: {
    'probe.probe': probeFiles,
    'probe.artwork': artwork,
    'probe.text': embeddedText,
    'probe.subtitle': embeddedSubtitle,
    'probe.fonts': embeddedFonts,
  },
});
