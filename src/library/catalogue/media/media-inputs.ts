/** The schemas of the inputs of `host.media`. The query itself checks ranges, languages and times. */
import { itemShapes } from '../../../contract/resources/library/catalogue.ts';
import {
  itemSorts,
  resolutions,
  watchedStates,
} from '../../../contract/resources/library/items.ts';

const id = { type: 'string', minLength: 1, maxLength: 100 };
const word = { type: 'string', minLength: 1, maxLength: 300 };
const range = { type: 'string', minLength: 1, maxLength: 30 };

const filters = {
  libraryId: id,
  type: { ...word, maxLength: 64 },
  genre: word,
  entityId: id,
  year: range,
  watched: { enum: watchedStates },
  favourite: { type: 'boolean' },
  rating: range,
  myRating: range,
  resolution: { enum: resolutions },
  hdr: { type: 'boolean' },
  language: { ...word, maxLength: 64 },
  subtitle: { ...word, maxLength: 64 },
  collectionId: id,
  addedAfter: { ...word, maxLength: 40 },
} as const;

/** `counts`. */
export const countsInput = closed(filters);

/** `list`. */
export const listInput = closed({
  ...filters,
  sortBy: { enum: itemSorts },
  sortOrder: { enum: ['asc', 'desc'] },
  seed: { type: 'string', minLength: 1, maxLength: 100 },
  letter: { type: 'string', minLength: 1, maxLength: 8 },
  fields: { enum: itemShapes },
  includeTotal: { type: 'boolean' },
  limit: { type: 'integer', minimum: 1, maximum: 500 },
  cursor: { type: 'string', minLength: 1, maxLength: 4000 },
});

/** `get`. */
export const itemInput = closed({ itemId: id }, ['itemId']);

/** `search`. */
export const searchInput = closed(
  {
    q: { type: 'string', minLength: 1, maxLength: 500 },
    limit: { type: 'integer', minimum: 1 },
  },
  ['q'],
);

function closed(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): object {
  return { type: 'object', additionalProperties: false, required, properties };
}
