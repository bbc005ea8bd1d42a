/** The plural forms of a text, by the categories of CLDR; `{count}` chooses one. */
export interface PluralTexts {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** The label and the help of a field in another language. */
export interface FieldTexts {
  readonly label?: string;
  readonly description?: string;
}

/**
 * `locales/<language>.json`: the texts of a plugin in one language, such as `locales/de.json` or
 * `locales/pt-BR.json`. What it leaves out stays as `manifest.json` has it, or as `locales/en.json`
 * has it for `texts`. It changes words, and nothing else.
 */
export interface LocaleFile {
  /** The schema of this file, for editors; a server ignores it. */
  readonly $schema?: string;
  readonly name?: string;
  readonly description?: string;
  /** By the key of the field. */
  readonly configuration?: Readonly<Record<string, FieldTexts>>;
  /** By the key of the field. */
  readonly profileConfiguration?: Readonly<Record<string, FieldTexts>>;
  /** The `reasons` of the permissions. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** The descriptions of exported methods, by name. */
  readonly exports?: Readonly<Record<string, string>>;
  /**
   * Texts for views, by the keys that {@link UIText} names. `{name}` stands for a value. All keys are
   * in `locales/en.json`, which is used for a language without one.
   */
  readonly texts?: Readonly<Record<string, string | PluralTexts>>;
}
