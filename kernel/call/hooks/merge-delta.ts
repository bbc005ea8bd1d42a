/**
 * The merge rule of hooks: collections append; `fields` and `ids` merge key by key, and the later
 * writer wins. Pure: no input is changed, and parts without a delta are shared, not copied. Keys are
 * read as own properties, so no name reaches a prototype.
 */
import type { Bundle, BundleDelta, ScanPrepareDelta } from '../../../plugin-api/index.ts';

/** The bundle with the delta merged into it. */
export function mergeDelta(bundle: Bundle, delta: BundleDelta): Bundle {
  const chapters = append(bundle.chapters, delta.chapters);
  return {
    ...bundle,
    files: mergeFiles(bundle.files, delta.files),
    fields: mergeKeys(bundle.fields, delta.fields),
    ids: mergeKeys(bundle.ids, delta.ids),
    assets: append(bundle.assets, delta.assets) ?? [],
    subtitles: append(bundle.subtitles, delta.subtitles) ?? [],
    entities: mergeRoles(bundle.entities, delta.entities),
    ...(chapters && { chapters }),
  };
}

/** The scan settings so far, with the delta's extensions and patterns appended. */
export function mergeScanDelta<State extends ScanPrepareDelta>(
  state: State,
  delta: ScanPrepareDelta,
): State {
  const added = delta.extensions?.map((extension) => extension.replace(/^\./, ''));
  const extensions = append(state.extensions, added);
  const patterns = append(state.patterns, delta.patterns);
  return { ...state, ...(extensions && { extensions }), ...(patterns && { patterns }) };
}

function mergeFiles(files: Bundle['files'], delta: BundleDelta['files']): Bundle['files'] {
  if (!delta?.auxiliary) return files;
  return { ...files, auxiliary: [...files.auxiliary, ...delta.auxiliary] };
}

function mergeKeys<Value>(
  map: Readonly<Record<string, Value>>,
  delta: Readonly<Record<string, Value>> | undefined,
): Readonly<Record<string, Value>> {
  return delta ? { ...map, ...delta } : map;
}

type Roles = Bundle['entities'];

function mergeRoles(roles: Roles, delta: Roles | undefined): Roles {
  if (!delta) return roles;
  const merged = Object.entries(delta).map(([role, added]) => {
    const before = Object.hasOwn(roles, role) ? roles[role] : undefined;
    return [role, append(before, added)];
  });
  return { ...roles, ...(Object.fromEntries(merged) as Roles) };
}

function append<Entry>(
  list: readonly Entry[] | undefined,
  added: readonly Entry[] | undefined,
): readonly Entry[] | undefined {
  if (!added) return list;
  return list ? [...list, ...added] : added;
}
