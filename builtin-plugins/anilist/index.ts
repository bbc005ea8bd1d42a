/** Anime from AniList. */
import { addressIn, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { addressOf } from '../catalogue-lookup/values.ts';
import { animeLookup } from './anime.ts';
import { createQuery } from './graphql.ts';

const publicImages = /^https?:\/\/s4\.anilist\.co(?=\/)/;
const day = 86_400;

export default defineIndexer({
  libraryTypes: ['tv'],
  // The form says which titles are taken where no language of the library has one.
  lastLanguage: null,
  open: (host, { config, languages, textLanguages }) => {
    const images = addressIn(config, 'imageBaseUrl');
    return animeLookup({
      query: createQuery(host.net, {
        url: addressIn(config, 'baseUrl'),
        maxAge: Number(config['keepDays']) * day,
      }),
      titles: String(config['titles']),
      languages,
      textLanguages,
      pictureOf: (address) => addressOf(address)?.replace(publicImages, images),
    });
  },
});
