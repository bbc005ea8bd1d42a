import { definePlugin } from '@vitrine/plugin-api';
import { createCatalogue, isNotNow } from './catalogue.ts';
import { candidateOf, confidenceOf, identify } from './identify.ts';

export default definePlugin({
  methods: {
    'indexer.supports': ({ libraryType }) => libraryType === 'tv',

    /** Files are asked about again later when the source is unavailable; known data stays. */
    'indexer.index': async ({ files }, host) => {
      const catalogue = createCatalogue(host);
      const later: number[] = [];
      const results = await Promise.all(
        files.map(async (file, place) => {
          try {
            return await identify(file, catalogue);
          } catch (error) {
            if (!isNotNow(error)) throw error;
            later.push(place);
            return null;
          }
        }),
      );
      return { results, later };
    },

    /** A person searches for the right match. */
    'indexer.search': async ({ query, year, limit }, host) => {
      const shows = await createCatalogue(host).search(query);
      const candidates = shows
        .map((show) => candidateOf(show, confidenceOf(show, { series: query, year })))
        .sort((one, other) => other.confidence - one.confidence);
      return { candidates: candidates.slice(0, limit) };
    },
  },
});
