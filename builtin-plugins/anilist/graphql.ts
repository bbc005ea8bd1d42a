/** Questions to AniList, all of which are GraphQL in a POST. */
import type { Host } from '../../plugin-api/index.ts';
import { NotNow, readReply } from '../catalogue-lookup/ask.ts';
import { partOf, partsOf, type Part } from '../catalogue-lookup/values.ts';

/** Asks; an empty object = AniList has no such entry. */
export type Query = (query: string, variables: object) => Promise<Part>;

/** Creates it. Equal questions of one call are asked once. */
export function createQuery(
  net: Host['net'],
  { url, maxAge }: { readonly url: string; readonly maxAge: number },
): Query {
  const asked = new Map<string, Promise<Part>>();

  async function ask(body: string): Promise<Part> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const reply = await net.fetch({ url, method: 'POST', headers, body, maxAge });
    // AniList answers 403 while it has turned the API off.
    if (reply.status === 403) throw new NotNow('AniList answers 403.');
    const { data, errors } = partOf(readReply(reply, 'a question'));
    const [error] = partsOf(errors);
    if (error?.['status'] === 429) throw new NotNow('AniList is busy.');
    return partOf(data);
  }

  return (query, variables) => {
    const body = JSON.stringify({ query, variables });
    const answer = asked.get(body) ?? ask(body);
    asked.set(body, answer);
    return answer;
  };
}

const names =
  'id idMal format episodes countryOfOrigin siteUrl title { romaji english native } startDate { year }';

/** The entries that a title may mean. */
export const searchQuery = `query ($search: String) {
  Page(perPage: 10) {
    media(search: $search, type: ANIME, isAdult: false, sort: SEARCH_MATCH) {
      ${names} synonyms description(asHtml: false) coverImage { large }
    }
  }
}`;

/** All of an entry, with the parts before and after it. */
export const partQuery = `query ($id: Int) {
  Media(id: $id, type: ANIME) {
    ${names} description(asHtml: false) averageScore genres bannerImage
    coverImage { extraLarge large }
    studios(isMain: true) { nodes { id name } }
    streamingEpisodes { title }
    characters(sort: [ROLE, RELEVANCE], perPage: 25) {
      edges { node { name { full } } voiceActors(language: JAPANESE) { id name { full } image { large } } }
    }
    staff(perPage: 25) { edges { role node { id name { full } image { large } } } }
    relations { edges { relationType(version: 2) node { id type format } } }
  }
}`;
