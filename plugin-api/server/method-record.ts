/** The form in which a host method is declared, beside its type. Authors of plugins do not see it. */
import type { PermissionName } from '../permissions.ts';

/** JSON Schema (2020-12) of one field. */
export type FieldSchema = Readonly<Record<string, unknown>>;

/** Schemas by the names of their fields. */
export type FieldSchemas = Readonly<Record<string, FieldSchema>>;

/**
 * What must be within the grant of a plugin that is limited to libraries:
 * `none`: the call names no library, item or file; `filtered`: the method leaves out what is beyond;
 * `item`: `itemId`; `part` and `whole`: some or all of `libraryId`; `uri`: `uri`; `listing`: `uri` and
 * `ignoreFilesFrom`; `ranges`: the URI of each; `path` and `paths`: of the disk; `job`: its library, or
 * all when it names none; `secret` and `secrets`: the library to which each belongs.
 */
export type ScopeRule =
  | 'none'
  | 'filtered'
  | 'item'
  | 'part'
  | 'whole'
  | 'uri'
  | 'listing'
  | 'ranges'
  | 'path'
  | 'paths'
  | 'job'
  | 'secret'
  | 'secrets';

/**
 * What the person must see or be for whom the plugin calls. Names that {@link ScopeRule} has, too, mean the
 * same of what this person sees. `disk`: everything, since links lead anywhere; `admin`: an admin of the
 * whole server; `headers`: each secret that a header or a form names;
 * `writer`: no guest, and no credential that only reads.
 */
export type ViewerRule =
  | Exclude<ScopeRule, 'whole' | 'path' | 'paths'>
  | 'admin'
  | 'disk'
  | 'headers'
  | 'writer';

/** What a plugin did with the call, in the languages of the server: `It stored a value`. */
export interface DoneWith {
  readonly english: string;
  readonly german: string;
}

/** All that the server knows of a method without running it. */
export interface MethodRecord {
  /** The power that the method needs, with its level where the power has levels; `null` = none. */
  readonly permission: { readonly name: PermissionName; readonly level?: 'read' | 'write' } | null;
  readonly scope: ScopeRule;
  readonly viewer: ViewerRule;
  readonly done: DoneWith;
  /** The fields that an input must have. */
  readonly needs?: FieldSchemas;
  /** The fields that it may have. Any other field is refused. */
  readonly takes?: FieldSchemas;
  /**
   * Characters of the input as JSON; a longer input is refused unread with `too_large`. 1 MiB when
   * absent.
   */
  readonly maxLength?: number;
  /** The answer is bytes or finished JSON text, which is sent unchanged. */
  readonly raw?: true;
  /** The input is stored in the plugin's text index and counts against that quota. */
  readonly fillsTextIndex?: true;
  /**
   * Most of its time is spent outside this process: network, disk, other plugins. A plugin may have
   * many such calls in progress. All other calls of a plugin run one at a time.
   */
  readonly isElsewhere?: true;
  /** A plugin may call it as a profile that agreed, through `host.as`. */
  readonly forProfiles?: true;
  /** An input of bytes is passed on unchanged; otherwise bytes are refused. */
  readonly takesBytes?: true;
}

/** The input of a method; of one with several signatures, that of the last. */
export type InputOf<Method> = Method extends (input: infer Input) => unknown ? Input : never;

type NeededKeys<Input> = {
  [Key in keyof Input]-?: Partial<Pick<Input, Key>> extends Pick<Input, Key> ? never : Key;
}[keyof Input];

/** Each field of the input has a schema, in the list in which its type puts it. */
type Needs<Keys> = [Keys] extends [never]
  ? unknown
  : { readonly needs: { readonly [Key in Keys & string]: FieldSchema } };
type Takes<Keys> = [Keys] extends [never]
  ? unknown
  : { readonly takes: { readonly [Key in Keys & string]: FieldSchema } };
type FieldsOf<Input> = string extends keyof Input
  ? unknown
  : Needs<NeededKeys<Input>> & Takes<Exclude<keyof Input, NeededKeys<Input>>>;

/** A record for each method of a service. */
export type MethodRecords<Service> = {
  readonly [Method in keyof Service]: MethodRecord & FieldsOf<InputOf<Service[Method]>>;
};

/** The schema of an object with these fields and no other. */
export const closed = (needs: FieldSchemas, takes: FieldSchemas = {}): FieldSchema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(needs),
  properties: { ...needs, ...takes },
});
