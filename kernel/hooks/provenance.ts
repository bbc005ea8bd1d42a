import type { Bundle, BundleDelta, ScanPrepareDelta } from '../../plugin-api/index.ts';
import { pathText } from '../foreign-text.ts';

/** Which plugin wrote one field, one id or one entry of a collection of what a chain gives. */
export interface Provenance {
  readonly pluginId: string;
  /** `fields.year`, `ids.imdb`, `assets[3]`, `entities.artist[0]`, `files.auxiliary[1]`. */
  readonly path: string;
}

/** Where a delta lands in a bundle: the paths that it writes, before it is merged. */
export function bundlePaths(bundle: Bundle, delta: BundleDelta): readonly string[] {
  return [
    ...appended(['files', 'auxiliary'], bundle.files.auxiliary, delta.files?.auxiliary),
    ...keys('fields', delta.fields),
    ...keys('ids', delta.ids),
    ...appended(['assets'], bundle.assets, delta.assets),
    ...appended(['subtitles'], bundle.subtitles, delta.subtitles),
    ...Object.entries(delta.entities ?? {}).flatMap(([role, added]) =>
      appended(['entities', role], ownList(bundle.entities, role), added),
    ),
    ...appended(['chapters'], bundle.chapters, delta.chapters),
  ];
}

/** Where a delta of a scan lands. */
export function scanPaths(state: ScanPrepareDelta, delta: ScanPrepareDelta): readonly string[] {
  return [
    ...appended(['extensions'], state.extensions, delta.extensions),
    ...appended(['patterns'], state.patterns, delta.patterns),
  ];
}

function keys(collection: string, map: object | undefined): readonly string[] {
  return Object.keys(map ?? {}).map((key) => pathText([collection, key]));
}

function appended(
  path: readonly string[],
  before: readonly unknown[] | undefined,
  added: readonly unknown[] | undefined,
): readonly string[] {
  const from = before?.length ?? 0;
  return (added ?? []).map((_, index) => pathText([...path, String(from + index)]));
}

function ownList(roles: Bundle['entities'], role: string): readonly unknown[] | undefined {
  return Object.hasOwn(roles, role) ? roles[role] : undefined;
}
