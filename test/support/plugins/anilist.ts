/** AniList as its documentation describes it: anime that are made up, in parts. */
import { hasWordOf, startMadeService, type MadeService } from './made-service.ts';

export interface MadeAnime {
  readonly id: number;
  readonly title: string;
  readonly year: number;
  readonly episodes: number;
  readonly format?: string;
  /** The id of the part after it. */
  readonly sequel?: number;
}

export const startAnilist = (
  parts: readonly MadeAnime[],
  picture: Uint8Array,
): Promise<MadeService> =>
  startMadeService({
    picture,
    pictures: '/file/',
    answer: ({ body, url }) => anilistReply(parts, body, url),
  });

/** The reply to the body of a question. */
export function anilistReply(parts: readonly MadeAnime[], body: string, url: string): unknown {
  const { variables } = JSON.parse(body) as { variables: { search?: string; id?: number } };
  const { search, id } = variables;
  if (search !== undefined) {
    const media = parts.filter(({ title }) => hasWordOf(title, search));
    return { data: { Page: { media: media.map((one) => whole(one, parts, url)) } } };
  }
  const part = parts.find((one) => one.id === id);
  return part && { data: { Media: whole(part, parts, url) } };
}

function whole(one: MadeAnime, parts: readonly MadeAnime[], url: string): object {
  const { id, title, year, episodes, format = 'TV', sequel } = one;
  const related = (relationType: string, other: MadeAnime | undefined) =>
    other
      ? [{ relationType, node: { id: other.id, type: 'ANIME', format: other.format ?? 'TV' } }]
      : [];
  return {
    id,
    idMal: id + 5000,
    format,
    episodes,
    siteUrl: `https://anilist.co/anime/${id}`,
    title: { romaji: `${title} no Uta`, english: title, native: '港の歌' },
    synonyms: [],
    startDate: { year },
    description: `All about <i>${title}</i>.`,
    averageScore: 84,
    genres: ['Drama'],
    bannerImage: null,
    coverImage: { extraLarge: `${url}/file/cover${id}.png` },
    studios: { nodes: [{ id: 1, name: 'Studio Quay' }] },
    streamingEpisodes: [{ title: 'Episode 1 - Low Tide' }, { title: 'A trailer' }],
    characters: {
      edges: [
        { node: { name: { full: 'Umi' } }, voiceActors: [{ id: 3, name: { full: 'Mori Aki' } }] },
      ],
    },
    staff: { edges: [{ role: 'Director', node: { id: 4, name: { full: 'Sato Ren' } } }] },
    relations: {
      edges: [
        ...related(
          'SEQUEL',
          parts.find((part) => part.id === sequel),
        ),
        ...related(
          'PREQUEL',
          parts.find((part) => part.sequel === id),
        ),
      ],
    },
  };
}
