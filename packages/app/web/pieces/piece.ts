/**
 * The pieces of plugins, parsed again in the page: what is not of a known form is left out, texts
 * are cut, and pictures, icons and links are only those of this server and this app.
 */
import { iconPaths, type IconName } from '../ui/icon-paths.ts';

/** What one slot shows at most. */
export const mostPieces = 20;
const mostFields = 200;
const longestText = 2000;

interface PieceBase {
  readonly pluginId: string;
  readonly id: string;
  /** The place that the plugin wants on the page. */
  readonly slot: string;
  readonly title: string;
}

export interface ActionPiece extends PieceBase {
  readonly type: 'action';
  readonly icon: IconName | undefined;
  readonly confirm: string | undefined;
  readonly rpcMethod: string;
}

export interface Fact {
  readonly key: string;
  readonly value: string;
  readonly description: string;
  /** The id of an asset. */
  readonly picture: string | undefined;
  /** A page of the app. */
  readonly page: string | undefined;
  /** An address outside, with `https`. */
  readonly link: URL | undefined;
}

export const layouts = ['key-value', 'list', 'chips', 'gallery'] as const;

export interface MetadataPiece extends PieceBase {
  readonly type: 'metadata';
  readonly layout: (typeof layouts)[number];
  readonly facts: readonly Fact[];
}

export const inputs = [
  'text',
  'number',
  'slider',
  'toggle',
  'select',
  'multi-select',
  'string-list',
  'color',
] as const;

export interface PieceField {
  readonly key: string;
  readonly label: string;
  readonly input: (typeof inputs)[number];
  readonly isRequired: boolean;
  readonly initial: unknown;
  readonly options: readonly (string | number | boolean)[];
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly description: string;
}

export interface FormPiece extends PieceBase {
  readonly type: 'form';
  readonly fields: readonly PieceField[];
  readonly submit: { readonly rpcMethod: string; readonly label: string } | undefined;
}

/** One piece, as the page draws it. */
export type Piece = ActionPiece | MetadataPiece | FormPiece;

/** The page of the plugin that gave a piece. */
export const pluginPage = ({ pluginId }: Pick<PieceBase, 'pluginId'>): string =>
  `/plugins/${encodeURIComponent(pluginId)}`;

type Given = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that is not too long; numbers and truths become text, all else is empty. */
function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  return value.length > longestText ? `${value.slice(0, longestText)}…` : value;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const idPattern = /^[\w-]{1,100}$/;

function factOf(given: unknown): Fact | undefined {
  if (!isObject(given)) return undefined;
  const { image, itemId, libraryId, entityId } = given;
  const value = textOf(given['value']);
  const picture = typeof image === 'string' ? /^\/api\/assets\/([\w-]{1,100})$/.exec(image) : null;
  const pages = [
    ['items', itemId],
    ['libraries', libraryId],
    ['entities', entityId],
  ] as const;
  const page = pages.find(([, id]) => typeof id === 'string' && idPattern.test(id));
  return {
    key: textOf(given['key']),
    value,
    description: textOf(given['description']),
    picture: picture?.[1],
    page: page === undefined ? undefined : `/${page[0]}/${String(page[1])}`,
    link: value.startsWith('https://') && URL.canParse(value) ? new URL(value) : undefined,
  };
}

function fieldOf(given: unknown): PieceField | undefined {
  if (!isObject(given) || typeof given['key'] !== 'string') return undefined;
  const input = inputs.find((one) => one === given['input']);
  if (input === undefined) return undefined;
  const { min, max } = given;
  return {
    key: given['key'],
    label: textOf(given['label']),
    input,
    isRequired: given['required'] === true,
    initial: given['default'],
    options: listOf(given['options'])
      .slice(0, mostFields)
      .filter(
        (one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean',
      ),
    min: typeof min === 'number' ? min : undefined,
    max: typeof max === 'number' ? max : undefined,
    description: textOf(given['description']),
  };
}

function submitOf(given: unknown): FormPiece['submit'] {
  if (!isObject(given) || typeof given['rpcMethod'] !== 'string') return undefined;
  return { rpcMethod: given['rpcMethod'], label: textOf(given['label']) };
}

const iconOf = (name: unknown): IconName | undefined =>
  typeof name === 'string' && Object.hasOwn(iconPaths, name) ? (name as IconName) : undefined;

/** A piece out of what the server sent; `undefined` = the page cannot draw it. */
export function parsePiece(given: unknown): Piece | undefined {
  if (!isObject(given)) return undefined;
  const { pluginId, id, slot, type } = given;
  if (typeof pluginId !== 'string' || typeof id !== 'string' || typeof slot !== 'string')
    return undefined;
  const base = { pluginId, id, slot, title: textOf(given['title'] ?? given['label']) };
  const fields = listOf(given['fields']).slice(0, mostFields);
  switch (type) {
    case 'action': {
      const { rpcMethod, confirm } = given;
      if (typeof rpcMethod !== 'string') return undefined;
      const question = typeof confirm === 'string' ? textOf(confirm) : undefined;
      return { ...base, type, rpcMethod, confirm: question, icon: iconOf(given['icon']) };
    }
    case 'metadata': {
      const layout = layouts.find((one) => one === given['layout']) ?? 'list';
      const facts = fields.map(factOf).filter((fact) => fact !== undefined);
      return { ...base, type, layout, facts };
    }
    case 'form': {
      const known = fields.map(fieldOf).filter((field) => field !== undefined);
      return { ...base, type, fields: known, submit: submitOf(given['submit']) };
    }
    default:
      return undefined;
  }
}

/** The pieces of these slots, at most {@link mostPieces}. */
export const parsePieces = (given: unknown, slots: readonly string[]): readonly Piece[] =>
  fairShare(
    listOf(given)
      .map(parsePiece)
      .filter((piece) => piece !== undefined)
      .filter(({ slot }) => slots.includes(slot)),
  );

/** The first pieces of each plugin, in their order: one that gives a thousand takes no place of others. */
function fairShare(pieces: readonly Piece[]): readonly Piece[] {
  const counts = new Map<string, number>();
  const ranked = pieces.map((piece) => {
    const rank = counts.get(piece.pluginId) ?? 0;
    counts.set(piece.pluginId, rank + 1);
    return { piece, rank };
  });
  const first = ranked.toSorted((one, other) => one.rank - other.rank).slice(0, mostPieces);
  const taken = new Set(first.map(({ piece }) => piece));
  return pieces.filter((piece) => taken.has(piece));
}
