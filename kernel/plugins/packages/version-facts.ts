/**
 * What an index says of a version besides where it is: all that an admin decides on, before anything is
 * fetched. It follows from the manifest alone, so that a server finds a source that says something else.
 */
import type { Manifest, Permissions } from '../../../plugin-api/index.ts';
import { declaredActions } from '../declared-actions.ts';
import { powersAsked } from '../powers-asked.ts';
import { canonicalText } from '../signature.ts';

/** What a version is subscribed to, by name. */
export interface SubscribedNames {
  readonly events?: readonly string[];
  readonly hooks?: readonly string[];
  readonly views?: readonly string[];
}

/** A field of the configuration by which an admin grants something. */
export interface GrantingField {
  readonly key: string;
  readonly label: string;
  readonly grants: string;
}

/** What is told of a version; lists that would be empty are left out. */
export interface VersionFacts {
  /** The whole list of powers, those that follow from capabilities and subscriptions among them. */
  readonly permissions: Permissions;
  readonly capabilities?: readonly string[];
  readonly subscriptions?: SubscribedNames;
  /** The names of its actions. */
  readonly actions?: readonly string[];
  /** Hosts of the own network that an admin lets it reach, by filling in these fields. */
  readonly grants?: readonly GrantingField[];
}

/** The facts of the version that has this manifest. */
export function versionFacts(manifest: Manifest): VersionFacts {
  const { capabilities, subscriptions = {}, configuration = [] } = manifest;
  const actions = declaredActions(manifest).map(({ name }) => name);
  const { events = [], hooks = [], views = [] } = subscriptions;
  const names = withoutEmpty({ events, hooks: [...new Set(hooks.map(({ name }) => name))], views });
  const grants = configuration.flatMap(({ key, label, grants: granted }) =>
    granted === undefined ? [] : [{ key, label, grants: granted }],
  );
  return {
    permissions: powersAsked(manifest),
    ...withoutEmpty({ capabilities, actions, grants }),
    ...(Object.keys(names).length > 0 && { subscriptions: names }),
  };
}

/** The names of the facts in which two versions differ. */
export function differingFacts(one: VersionFacts, other: VersionFacts): readonly string[] {
  const names = ['permissions', 'capabilities', 'subscriptions', 'actions', 'grants'] as const;
  return names.filter((name) => textOf(one[name]) !== textOf(other[name]));
}

const textOf = (value: unknown): string => canonicalText({ value: value ?? null });

const withoutEmpty = <Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
): Partial<Lists> =>
  // Of the same keys, some are left out.
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>;
