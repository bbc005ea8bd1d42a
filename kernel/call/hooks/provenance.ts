import type { Bundle, BundleDelta, ScanPrepareDelta } from '../../../plugin-api/index.ts';
import { pathText } from '../../foreign-text.ts';

/** Which plugin wrote one field, one id or one entry of a collection in a chain's output. */
export interface Provenance {
  readonly pluginId: string;
  /** `fields.year`, `ids.imdb`, `assets[3]`, `entities.artist[0]`, `files.auxiliary[1]`. */
  readonly path: string;
}

/** The paths that a delta writes in a bundle, computed before the merge. */
export function bundlePaths(bundle: Bundle, delta: BundleDelta): readonly string[] {
  return [
    ...appended('files.auxiliary', bundle.files.auxiliary, delta.files?.auxiliary),
    ...keys('fields', delta.fields),
    ...keys('ids', delta.ids),
    ...appended('assets', bundle.assets, delta.assets),
    ...appended('subtitles', bundle.subtitles, delta.subtitles),
    ...roles(bundle.entities, delta.entities),
    ...appended('chapters', bundle.chapters, delta.chapters),
  ];
}

/** The paths that a delta of a scan writes. */
export function scanPaths(state: ScanPrepareDelta, delta: ScanPrepareDelta): readonly string[] {
  return [
    ...appended('extensions', state.extensions, delta.extensions),
    ...appended('patterns', state.patterns, delta.patterns),
  ];
}

function keys(collection: string, map: object | undefined): readonly string[] {
  return map ? Object.keys(map).map((key) => pathText([collection, key])) : none;
}

function roles(
  before: Bundle['entities'],
  added: Bundle['entities'] | undefined,
): readonly string[] {
  if (!added) return none;
  return Object.entries(added).flatMap(([role, entities]) => {
    const there = Object.hasOwn(before, role) ? before[role] : undefined;
    return appended(pathText(['entities', role]), there, entities);
  });
}

function appended(
  collection: string,
  before: readonly unknown[] | undefined,
  added: readonly unknown[] | undefined,
): readonly string[] {
  if (!added) return none;
  const from = before?.length ?? 0;
  return added.map((_, index) => `${collection}[${from + index}]`);
}

const none: readonly string[] = [];
