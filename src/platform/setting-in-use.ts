/** Settings as admins see them: their values, and where these come from. Passwords are left out. */
import {
  settingOrigins,
  type SettingInUse,
} from '../contract/resources/operations/installation.ts';

/** How one setting is spelled and read. */
export interface Setting {
  readonly key: string;
  readonly flag: string;
  readonly env: string;
  readonly argument: string;
  readonly help: string;
  readonly isRepeatable?: boolean;
}

/** The values that were found, by key: one text, or several for a repeatable setting. */
export type RawSettings = Readonly<Record<string, string | readonly string[]>>;

/** The values that were found, by where they stand. */
export type GivenSettings = Readonly<Record<'flag' | 'variable' | 'file', RawSettings>>;

/** Says of one setting what is in use. */
export function settingInUse(
  { key, flag, env, help }: Setting,
  given: GivenSettings,
): SettingInUse {
  const [, what = help, usual = null] = /^(.*) \(([^()]*)\)$/s.exec(help) ?? [];
  const origin = settingOrigins.find((one) => one === 'default' || given[one][key] !== undefined);
  const found = origin === undefined || origin === 'default' ? undefined : given[origin][key];
  const value = found === undefined ? null : [found].flat().map(withoutPassword).join(', ');
  return { key, flag, variable: env, help: what, usual, value, origin: origin ?? 'default' };
}

/** Addresses may hold a password, before the host or among their parameters. */
export const withoutPassword = (text: string): string =>
  text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*):.*@/is, '$1:…@')
    .replace(/([?&][^=&#]*(?:pass|secret|token|key)[^=&#]*=)[^&#]*/gi, '$1…');
