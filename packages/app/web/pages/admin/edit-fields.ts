/** Fields that a person edits: which there are, what was changed, and which plugin wrote each. */

/** How a field is typed in. A list has commas between its texts. */
export type FieldInput = 'text' | 'long' | 'number' | 'date' | 'list';

/** One field of an item or an entity. `metadata.` begins the names of those of the metadata. */
export interface EditField {
  readonly name: string;
  readonly input: FieldInput;
  readonly value: string;
}

type Metadata = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const inputs: Readonly<Record<string, FieldInput>> = {
  airDate: 'date',
  description: 'long',
  episode: 'number',
  overview: 'long',
  plot: 'long',
  rating: 'number',
  releaseDate: 'date',
  season: 'number',
  summary: 'long',
  year: 'number',
};

/** A date that the browser's field takes; others are typed as text. */
const isDay = (value: string): boolean => value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value);

const summaries = ['summary', 'plot', 'overview', 'description'] as const;

/** The fields of metadata: those that are always offered, then the other texts and numbers of it. */
export function metadataFields(
  metadata: Metadata,
  always: readonly string[],
): readonly EditField[] {
  const summary = summaries.find((name) => metadata[name] !== undefined) ?? 'overview';
  const others = Object.keys(metadata).filter(
    (name) => ['string', 'number'].includes(typeof metadata[name]) && !isLeftOut(name),
  );
  return [...new Set([...always, summary, ...others])].map((name) => {
    const value = textOf(metadata[name]);
    const usual = value.length > 120 ? 'long' : 'text';
    // The number of a track stays a number.
    const input = inputs[name] ?? (typeof metadata[name] === 'number' ? 'number' : usual);
    return {
      name: `metadata.${name}`,
      input: input === 'date' && !isDay(value) ? 'text' : input,
      value,
    };
  });
}

const listOf = (text: string): readonly string[] =>
  text.split(',').flatMap((one) => one.trim() || []);

/** The genres of an item, which are entities. */
export const genresField = (names: readonly string[]): EditField => ({
  name: 'metadata.genres',
  input: 'list',
  value: names.join(', '),
});

const isLeftOut = (name: string): boolean => name === 'certification' || name === 'title';

/** What a form has changed, as the server takes it. An empty field removes the value. */
export interface Changes {
  readonly own: Readonly<Record<string, string | null>>;
  readonly metadata: Readonly<Record<string, string | number | readonly string[] | null>>;
}

/** The changes of the fields by what is in the form now. */
export function changesOf(
  fields: readonly EditField[],
  typed: (name: string) => string,
): Changes | null {
  const changed = fields.flatMap((field) => {
    const value = typed(field.name).trim();
    return value === field.value.trim() ? [] : [{ ...field, value }];
  });
  if (changed.length === 0) return null;
  const valueOf = ({ input, value }: EditField): string | number | readonly string[] | null => {
    if (value === '') return null;
    if (input === 'list') return listOf(value);
    return input === 'number' ? Number(value) : value;
  };
  const isMetadata = ({ name }: EditField): boolean => name.startsWith('metadata.');
  return {
    own: Object.fromEntries(
      changed.filter((field) => !isMetadata(field)).map(({ name, value }) => [name, value || null]),
    ),
    metadata: Object.fromEntries(
      changed
        .filter(isMetadata)
        .map((field) => [field.name.slice('metadata.'.length), valueOf(field)]),
    ),
  };
}

/** The plugin that wrote a field: the last one that names it, else the one of all fields. */
export function writerOf(provenance: readonly Metadata[], name: string): string | null {
  const short = name.replace(/^metadata\./, '');
  const own = short === 'genres' ? 'entities.genre' : `fields.${short}`;
  for (const path of [own, `fields[${JSON.stringify(short)}]`, 'fields']) {
    const found = provenance.findLast((entry) => entry['path'] === path);
    if (typeof found?.['pluginId'] === 'string') return found['pluginId'];
  }
  return null;
}
