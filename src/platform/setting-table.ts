/**
 * Settings by a table: one record says how a setting is spelled and explained, what is used without it, and
 * how it is read; the type of the configuration follows from it. Each setting is a flag (`--log-level`), an
 * environment variable and a key of a file in the data folder (`logLevel`); the flag wins over the variable,
 * the variable over the file. An unknown name is refused, because a misspelled setting must not be ignored
 * silently.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { GivenSettings, RawSettings, Setting } from './setting-in-use.ts';

/** An invalid setting. The message is one line that names it. */
export class ConfigError extends Error {}

/** Where settings come from. */
export interface ConfigSources {
  readonly flags: RawSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths are resolved against this folder. */
  readonly cwd: string;
}

/** What is known when one setting is read. */
export interface Given extends Pick<ConfigSources, 'env' | 'cwd'> {
  /** The value; of several the last one. `undefined` = it was not set. */
  readonly text: string | undefined;
  readonly all: readonly string[];
  /** As messages name it: `--log-level`. */
  readonly flag: string;
  /** The data folder, absolute. */
  readonly data: string;
}

/** How values of one form are read. */
export interface SettingKind<Value> {
  /** What is used without the setting, as the help says it; `null` = nothing. */
  readonly usual: string | null;
  readonly isRepeatable?: true;
  /** Throws a {@link ConfigError} for a value that cannot be used. */
  readonly read: (given: Given) => Value;
}

/** All that there is to say of a setting. */
export interface SettingRecord<Value> extends SettingKind<Value> {
  /** Its name in flag, variable and file, where it is not that of the field of the configuration. */
  readonly key?: string;
  readonly argument: string;
  readonly help: string;
}

/** Declares one setting; `key` is its name if it is not that of the field. */
export const setting = <Value>(
  argument: string,
  help: string,
  kind: SettingKind<Value>,
  key?: string,
): SettingRecord<Value> => ({ argument, help, ...kind, ...(key !== undefined && { key }) });

type SettingTable = Readonly<Record<string, SettingRecord<unknown>>>;

/** The configuration that a table gives. */
export type ConfigOf<Table extends SettingTable> = {
  readonly [Field in keyof Table]: Table[Field] extends SettingRecord<infer Value> ? Value : never;
};

/** Tables of settings that are read together. */
type SettingTables = readonly SettingTable[];

/** Tables, and the names around them. */
export interface SettingsParts<Tables extends SettingTables> {
  readonly tables: Tables;
  /** Of the variables: `VITRINE_`. */
  readonly prefix: string;
  /** Variables with the prefix that are not settings. */
  readonly isOther?: (name: string) => boolean;
  /** The name of the file in the data folder. */
  readonly file: string;
  /** The data folder when none is set. */
  readonly usualData: string;
}

export interface Settings<Tables extends SettingTables> {
  /** In the order of the tables, which is that of the help text. */
  readonly settings: readonly Setting[];
  /** Reads flags, environment and file, or throws a {@link ConfigError}. */
  readonly read: (sources: ConfigSources) => {
    /** What each table gives. */
    readonly configs: { readonly [Index in keyof Tables]: ConfigOf<Tables[Index]> };
    readonly given: GivenSettings;
  };
}

/** Creates the settings of some tables; nothing is read. */
export function createSettings<const Tables extends SettingTables>(
  parts: SettingsParts<Tables>,
): Settings<Tables> {
  const { tables, prefix, usualData } = parts;
  const spelled = tables.map((table) =>
    Object.entries(table).map(([field, record]) => ({
      field,
      record,
      own: spelledAs(record.key ?? field, record, prefix),
    })),
  );
  const settings = spelled.flat().map(({ own }) => own);

  function read({ flags, env, cwd }: ConfigSources) {
    const variable = fromEnvironment(env, settings, parts);
    const early: RawSettings = { ...variable, ...flags };
    const data = path.resolve(cwd, allOf(early, 'data').at(-1) ?? usualData);
    const file = fromFile(path.join(data, parts.file), settings);
    const raw: RawSettings = { ...file, ...early };
    const configs = spelled.map((table) =>
      Object.fromEntries(
        table.map(({ field, record, own: { key, flag } }) => {
          const all = allOf(raw, key);
          return [field, record.read({ all, text: all.at(-1), flag: `--${flag}`, data, cwd, env })];
        }),
      ),
    );
    return {
      configs: configs as unknown as ReturnType<Settings<Tables>['read']>['configs'],
      given: { flag: flags, variable, file },
    };
  }

  return { settings, read };
}

function spelledAs(
  key: string,
  { argument, help, usual, isRepeatable }: SettingRecord<unknown>,
  prefix: string,
): Setting {
  return {
    key,
    flag: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    env: `${prefix}${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
    argument,
    help: usual === null ? help : `${help} (${usual})`,
    ...(isRepeatable && { isRepeatable }),
  };
}

function allOf(raw: RawSettings, key: string): readonly string[] {
  const value = raw[key] ?? [];
  return typeof value === 'string' ? [value] : value;
}

function fromEnvironment(
  env: ConfigSources['env'],
  settings: readonly Setting[],
  { prefix, isOther }: Pick<SettingsParts<SettingTables>, 'prefix' | 'isOther'>,
): RawSettings {
  const found: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(prefix) || !value || isOther?.(name)) continue;
    const known = settings.find((one) => one.env === name);
    if (!known)
      throw new ConfigError(`${name}: there is no such setting${nearest(name, 'env', settings)}.`);
    found[known.key] = known.isRepeatable === true ? value.split('\n').filter(Boolean) : value;
  }
  return found;
}

function fromFile(file: string, settings: readonly Setting[]): RawSettings {
  const content = readIfThere(file);
  if (content === undefined) return {};
  const parsed = parseObject(content, file);
  const found: Record<string, string | readonly string[]> = {};
  for (const [key, value] of Object.entries(parsed)) {
    const known = settings.find((one) => one.key === key);
    if (!known || key === 'data') {
      const why =
        key === 'data' ? 'the data folder cannot be set inside itself' : 'no such setting';
      throw new ConfigError(`${key} in ${file}: ${why}${nearest(key, 'key', settings)}.`);
    }
    found[key] = fileValue(value, known, file);
  }
  return found;
}

function fileValue(value: unknown, { key, isRepeatable }: Setting, file: string) {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (isRepeatable === true && Array.isArray(value)) {
    const texts = value.filter((one): one is string => typeof one === 'string');
    if (texts.length === value.length) return texts;
  }
  const wanted = isRepeatable === true ? 'a text or a list of texts' : 'a text or a number';
  throw new ConfigError(`${key} in ${file}: it must be ${wanted}.`);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ConfigError(`${file} cannot be read: ${String(error)}.`);
  }
}

function parseObject(content: string, file: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch (error) {
    throw new ConfigError(`${file} is not JSON: ${String(error)}.`);
  }
  throw new ConfigError(`${file} must hold one JSON object.`);
}

function nearest(name: string, spelling: 'env' | 'key', settings: readonly Setting[]): string {
  const close = settings.find((one) => one[spelling].toLowerCase() === name.toLowerCase());
  return close ? `; it is spelled ${close[spelling]}` : '';
}
