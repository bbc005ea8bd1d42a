import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import {
  insertLinks,
  readLinkRows,
  saveLinks,
  touch,
  unlinkItems,
  type LinkRow,
  type Touch,
} from '../tables/entity-link-store.ts';
import { renamed, unite, withParent, type Mention } from './entity-mention.ts';
import { jointParts, nameKey } from './entity-name.ts';
import type { EntityNumbers, EntityRegistry } from './entity-registry.ts';
import { readSplitLinks } from '../tables/split-link-store.ts';

/** The new mentions of an item. */
export interface ItemLinks {
  readonly itemNo: number;
  readonly libraryNo: number;
  readonly mentions: readonly Mention[];
  /** The item was made in this transaction, so it has no links yet. */
  readonly isNew?: boolean;
}

export interface LinkParts {
  readonly insertRows: Database['insertRows'];
  readonly entities: Pick<EntityRegistry, 'resolve' | 'knownArtists'>;
}

/**
 * Links items to what they mention; earlier links are replaced. Items whose links stay the same are
 * not written; `changed` names the others. Pass the numbers to `learn` once the transaction is
 * committed.
 */
export async function linkItems(
  trx: Transaction,
  parts: LinkParts,
  items: readonly ItemLinks[],
  now: number,
): Promise<{ readonly changed: ReadonlySet<number>; readonly numbers: EntityNumbers }> {
  const credited = await splitJointCredits(trx, parts, items);
  const mentions = credited.flatMap((item) => item.mentions);
  const numbers = await parts.entities.resolve(trx, mentions, now);
  const older = credited.filter(({ isNew }) => isNew !== true).map(({ itemNo }) => itemNo);
  const [known, splits] = [await readLinkRows(trx, older), await readSplitLinks(trx, older)];
  const knownByItem = Map.groupBy(known, (link) => link.item_no);
  const differences = credited.map((item) =>
    differenceOf(
      item,
      knownByItem.get(item.itemNo) ?? [],
      meantBy(numbers, splits.get(item.itemNo)),
    ),
  );
  const lossy = differences.filter(({ lost }) => lost.length > 0);
  await unlinkItems(
    trx,
    lossy.map(({ itemNo }) => itemNo),
  );
  const { fresh = [], known: others = [] } = Object.groupBy(differences, ({ isNew }) =>
    isNew ? 'fresh' : 'known',
  );
  await insertLinks(
    parts.insertRows,
    trx,
    fresh.flatMap(({ written }) => written),
  );
  await saveLinks(
    parts.insertRows,
    trx,
    others.flatMap(({ written }) => written),
  );
  const touches = differences.flatMap((one) => one.touches);
  const distinct = new Map(touches.map((one) => [`${one.entity_no} ${one.library_no}`, one]));
  await touch(parts.insertRows, trx, [...distinct.values()]);
  const changed = differences.filter(({ lost, written }) => lost.length + written.length > 0);
  return { changed: new Set(changed.map(({ itemNo }) => itemNo)), numbers };
}

/** Resolves the mentions of an item, with the splits that a person made. */
function meantBy(numbers: EntityNumbers, splits?: ReadonlyMap<number, number>): Meant {
  if (splits === undefined) return numbers;
  return {
    get: (key) => {
      const no = numbers.get(key);
      return no === undefined ? undefined : (splits.get(no) ?? no);
    },
  };
}

type Meant = Pick<EntityNumbers, 'get'>;

interface Difference {
  readonly itemNo: number;
  readonly isNew: boolean;
  readonly lost: readonly LinkRow[];
  /** When a link was removed, all are deleted and these are inserted. */
  readonly written: readonly LinkRow[];
  readonly touches: readonly Touch[];
}

function differenceOf(item: ItemLinks, before: readonly LinkRow[], numbers: Meant): Difference {
  const { itemNo, libraryNo, isNew = false } = item;
  const wanted = linksOf(item, numbers);
  const places = new Set(wanted.map(placeOf));
  const lost = before.filter((link) => !places.has(placeOf(link)));
  const prints = new Set(lost.length > 0 ? [] : before.map(printOf));
  const noted = new Set(before.map(({ entity_no }) => entity_no));
  const gained = item.mentions.flatMap(({ key }) => {
    const no = numbers.get(key);
    return no === undefined || noted.has(no) ? [] : [no];
  });
  return {
    itemNo,
    isNew,
    lost,
    written: wanted.filter((link) => !prints.has(printOf(link))),
    touches: [...gained, ...lost.map((link) => link.entity_no)].map((entity_no) => ({
      entity_no,
      library_no: libraryNo,
    })),
  };
}

/** The links of one item, each entity once per role. */
function linksOf({ itemNo, mentions }: ItemLinks, numbers: Meant): readonly LinkRow[] {
  const links = new Map<string, { readonly link: LinkRow; readonly mention: Mention }>();
  for (const [index, mention] of mentions.entries()) {
    const entityNo = numbers.get(mention.key);
    if (entityNo === undefined) continue;
    const place = `${entityNo} ${mention.role}`;
    const twin = links.get(place);
    const linkMetadata = twin ? unite(twin.mention, mention) : mention.linkMetadata;
    const link = {
      item_no: itemNo,
      entity_no: entityNo,
      role: mention.role,
      sort_order: twin?.link.sort_order ?? index,
      metadata: linkMetadata === null ? null : JSON.stringify(linkMetadata),
    };
    links.set(place, { link, mention: { ...mention, linkMetadata } });
  }
  return [...links.values()].map(({ link }) => link);
}

const placeOf = ({ entity_no, role }: LinkRow): string => `${entity_no} ${role}`;

const printOf = (link: LinkRow): string =>
  `${placeOf(link)}\n${link.sort_order}\n${link.metadata ?? ''}`;

/**
 * `A & B` is two artists only when both are known separately and the whole is not: `Simon &
 * Garfunkel` stays one name in a library without a `Simon`. A credit with ids stays whole, since
 * they name the whole.
 */
async function splitJointCredits(
  trx: Transaction,
  parts: LinkParts,
  items: readonly ItemLinks[],
): Promise<readonly ItemLinks[]> {
  const joint = new Map<string, readonly string[]>();
  const single = new Set<string>();
  for (const { type, ids, name, nameKey: key } of items.flatMap(({ mentions }) => mentions)) {
    if (type !== 'artist') continue;
    const names = ids.length > 0 || joint.has(key) ? [] : jointParts(name);
    if (names.length > 0) joint.set(key, names);
    else if (!joint.has(key)) single.add(key);
  }
  if (joint.size === 0) return items;
  const asked = [...joint].flatMap(([key, names]) => [key, ...names.map(artistKey)]);
  const known = await parts.entities.knownArtists(trx, [...new Set(asked)]);
  const isSeparate = (name: string): boolean =>
    known.has(artistKey(name)) || single.has(artistKey(name));
  const splits = new Map(
    [...joint].filter(([key, names]) => !known.has(key) && names.every(isSeparate)),
  );
  if (splits.size === 0) return items;
  const partsOf = (mention: Mention): readonly Mention[] => {
    const names = mention.type === 'artist' ? splits.get(mention.nameKey) : undefined;
    if (names === undefined || mention.ids.length > 0) return [mention];
    return names.map((name) => renamed(mention, name));
  };
  return items.map((item) => ({
    ...item,
    mentions: item.mentions.flatMap((mention) => {
      const [parent] = mention.parent === null ? [] : partsOf(mention.parent);
      const isMoved = parent !== undefined && parent !== mention.parent;
      return isMoved ? [withParent(mention, parent)] : partsOf(mention);
    }),
  }));
}

const artistKey = (name: string): string => nameKey('artist', name);
