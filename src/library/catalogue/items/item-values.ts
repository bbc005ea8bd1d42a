import type {
  BundleAuxiliaryFile,
  BundleSubtitle,
  Identification,
} from '../../../../plugin-api/index.ts';
import { mergeCertifications, longestCertification } from '../../../people/ratings/index.ts';
import { createMentionReader, ofExtra, type Mention } from '../entities/entity-mention.ts';
import { givenKey, type ItemGivenTexts } from '../tables/given-text-store.ts';
import { metadataFacts } from '../tables/item-facts.ts';
import { letterOf } from '../tables/letter.ts';
import { sortTitle } from '../tables/normalize-name.ts';
import type { ItemRow } from '../tables/item-store.ts';
import { isMap, parseMap } from '../tables/rows.ts';

/** A person's edits of an item. Every scan keeps them. */
export interface ItemEdits {
  readonly title?: string;
  readonly certification?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The picture to show, by type: its id, or null for none. */
  readonly assets?: Readonly<Record<string, string | null>>;
}

/** What is known of an item apart from its files. */
export interface ItemValues {
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly mentions: readonly Mention[];
  readonly provenance: string | null;
  /** Whether a primary file says so, not an extra or a trailer. */
  readonly isNamed: boolean;
}

/** The columns that values fill. */
export type ValueColumns = Pick<
  ItemRow,
  | 'title'
  | 'sort_title'
  | 'letter'
  | 'year'
  | 'rating'
  | 'released_on'
  | 'certification'
  | 'metadata'
>;

/**
 * Reads values from a plugin's identification, or from the name alone. One reader serves many
 * items, and caches the mentions that consecutive items share.
 */
export function createValueReader(): (
  identification: Identification,
  pluginId: string | null,
) => ItemValues {
  const mentionsOf = createMentionReader();
  return (identification, pluginId) => {
    const { title, metadata, entities } = identification;
    const isNamed = isPrimary(identification);
    const mentions = entities === undefined ? [] : mentionsOf(entities, metadata, pluginId);
    return {
      title,
      metadata,
      mentions: isNamed ? mentions : ofExtra(mentions),
      provenance: pluginId === null ? null : JSON.stringify([{ pluginId, path: 'fields' }]),
      isNamed,
    };
  };
}

/** Whether a file is the item itself, not an extra of it. */
export function isPrimary(identification: Pick<Identification, 'classification'>): boolean {
  return (identification.classification ?? 'primary') === 'primary';
}

/** The columns of values, a person's edits on top. */
export function columnsOf(
  values: Pick<ItemValues, 'title' | 'metadata'>,
  edits: ItemEdits = {},
): ValueColumns {
  const title = edits.title ?? values.title;
  const metadata =
    edits.metadata === undefined ? values.metadata : withEdits(values.metadata, edits.metadata);
  const { sortTitle: sortAs, year, certification } = metadata;
  const sorted = sortTitle(typeof sortAs === 'string' && sortAs !== '' ? sortAs : title);
  return {
    title,
    sort_title: sorted,
    letter: letterOf(sorted),
    year: isYear(year) ? year : 0,
    ...metadataFacts(metadata),
    certification:
      edits.certification === undefined ? gathered(certification) : edited(edits.certification),
    metadata: JSON.stringify(metadata),
  };
}

/**
 * A certification is a short text or null; without one, viewers with a limit do not see the item.
 */
const gathered = (value: unknown): string | null =>
  typeof value === 'string' ? edited(mergeCertifications([value])) : null;

/** A person's text is stored as it is. */
function edited(value: string | null): string | null {
  const text = value?.trim() ?? '';
  return text === '' || text.length > longestCertification ? null : text;
}

/**
 * The columns that pictures fill: of each type the one that a person chose, else the first. A chosen
 * one that is gone counts as not chosen.
 */
export function pictureColumns(
  pictures: readonly {
    readonly id: string;
    readonly type: string;
    readonly aspect?: string | null;
  }[],
  chosen: ItemEdits['assets'] = {},
): Pick<ItemRow, 'assets' | 'asset_aspects'> {
  const firsts = new Map(pictures.toReversed().map((picture) => [picture.type, picture]));
  for (const [type, id] of Object.entries(chosen)) {
    const picture = pictures.find((one) => one.id === id);
    if (id === null) firsts.delete(type);
    else if (picture !== undefined) firsts.set(type, { ...picture, type });
  }
  const shown = [...firsts.values()].reverse();
  const places = shown.map(({ type, id }) => [type, `/api/assets/${id}`] as const);
  const aspects = shown.flatMap(({ type, aspect }) => (aspect ? [[type, aspect] as const] : []));
  return {
    assets: places.length > 0 ? JSON.stringify(Object.fromEntries(places)) : null,
    asset_aspects: aspects.length > 0 ? JSON.stringify(Object.fromEntries(aspects)) : null,
  };
}

/** The column for subtitles and lyrics. */
export function attachmentColumn({
  subtitles,
  auxiliary,
}: {
  readonly subtitles: readonly BundleSubtitle[];
  readonly auxiliary: readonly BundleAuxiliaryFile[];
}): string | null {
  if (subtitles.length + auxiliary.length === 0) return null;
  return JSON.stringify({ subtitles: subtitles.map(withoutText), auxiliary });
}

/** A track that is a text has the key under which the text is kept. */
function withoutText({ text, ...subtitle }: BundleSubtitle): object {
  if (text === undefined) return subtitle;
  return { ...subtitle, textKey: givenKey(subtitle.source, { text }) };
}

/** What a plugin gave as text tracks, apart from the column. */
export function givenTextsOf({
  no: itemNo,
  subtitles,
}: {
  readonly no: number;
  readonly subtitles: readonly BundleSubtitle[];
}): ItemGivenTexts {
  const given = subtitles.filter(({ type }) => type === 'external');
  return {
    itemNo,
    keys: new Set(given.map((one) => givenKey(one.source, one))),
    texts: given.flatMap((one) => {
      const { source: pluginId, text } = one;
      if (text === undefined) return [];
      return [{ key: givenKey(pluginId, { text }), pluginId, bytes: Buffer.from(text) }];
    }),
  };
}

/** The row of an item whose values are set next. */
export function newItemRow(
  ids: Pick<ItemRow, 'no' | 'id'> & { readonly libraryNo: number; readonly groupKey: string },
  now: number,
): ItemRow {
  return {
    no: ids.no,
    id: ids.id,
    library_no: ids.libraryNo,
    group_key: ids.groupKey,
    title: '',
    sort_title: '',
    letter: '#',
    year: 0,
    rating: -1,
    released_on: 0,
    duration: 0,
    resolution: null,
    hdr: false,
    certification: null,
    metadata: '{}',
    edits: null,
    assets: null,
    asset_aspects: null,
    attachments: null,
    provenance: null,
    match: null,
    needs_look: 0,
    status: 'active',
    is_named: false,
    seq: ids.no,
    added_at: now,
    updated_at: now,
  };
}

/** Reads a person's edits from their column. */
export function parseEdits(text: string | null): ItemEdits {
  if (text === null) return {};
  const { title, certification, metadata, assets } = parseMap(text);
  return {
    ...(typeof title === 'string' && { title }),
    ...((typeof certification === 'string' || certification === null) && { certification }),
    ...(isMap(metadata) && { metadata }),
    ...(isMap(assets) && { assets: assets as Readonly<Record<string, string | null>> }),
  };
}

/** An edit to null removes the key. */
function withEdits(
  metadata: Readonly<Record<string, unknown>>,
  edits: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(metadata));
  for (const [key, value] of Object.entries(edits)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function isYear(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 10_000;
}
