/**
 * What an index says about a version beyond its location: all that an admin decides on before a
 * download. It follows from the manifest alone, so a server detects a source that says something
 * else.
 */
import type { Manifest, Permissions } from '../../../plugin-api/index.ts';
import { noLocales, type Locales } from '../locales/index.ts';
import { declaredActions } from '../manifest/declared-actions.ts';
import { powersAsked } from '../powers/powers-asked.ts';
import { canonicalText } from './signature.ts';

/** The subscriptions of a version, by name. */
export interface SubscribedNames {
  readonly events?: readonly string[];
  readonly hooks?: readonly string[];
  readonly views?: readonly string[];
}

/** A configuration field by which an admin grants something. */
export interface GrantingField {
  readonly key: string;
  readonly label: string;
  readonly grants: string;
}

/** The facts about a version; empty lists are left out. */
export interface VersionFacts {
  /** All powers, including those that follow from capabilities and subscriptions. */
  readonly permissions: Permissions;
  readonly capabilities?: readonly string[];
  readonly subscriptions?: SubscribedNames;
  /** The names of its actions. */
  readonly actions?: readonly string[];
  /** Hosts of the local network that an admin lets it reach by filling in these fields. */
  readonly grants?: readonly GrantingField[];
  /** The reasons of its permissions in other languages: by language, then by permission. */
  readonly reasons?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The facts of the version that has this manifest and these language files. */
export function versionFacts(manifest: Manifest, locales: Locales = noLocales): VersionFacts {
  const { capabilities, subscriptions = {}, configuration = [] } = manifest;
  const actions = declaredActions(manifest).map(({ name }) => name);
  const { events = [], hooks = [], views = [] } = subscriptions;
  const names = withoutEmpty({ events, hooks: [...new Set(hooks.map(({ name }) => name))], views });
  const grants = configuration.flatMap(({ key, label, grants: granted }) =>
    granted === undefined ? [] : [{ key, label, grants: granted }],
  );
  const reasons = Object.fromEntries(
    [...locales].flatMap(([language, file]) =>
      file.reasons === undefined ? [] : [[language, file.reasons]],
    ),
  );
  return {
    permissions: powersAsked(manifest),
    ...withoutEmpty({ capabilities, actions, grants }),
    ...(Object.keys(names).length > 0 && { subscriptions: names }),
    ...(Object.keys(reasons).length > 0 && { reasons }),
  };
}

/** The names of the facts in which two versions differ. */
export function differingFacts(one: VersionFacts, other: VersionFacts): readonly string[] {
  const names = [
    ...(['permissions', 'capabilities', 'subscriptions', 'actions', 'grants', 'reasons'] as const),
  ];
  return names.filter((name) => textOf(one[name]) !== textOf(other[name]));
}

const textOf = (value: unknown): string => canonicalText({ value: value ?? null });

const withoutEmpty = <Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
): Partial<Lists> =>
  // The same keys, some of them left out.
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>;
