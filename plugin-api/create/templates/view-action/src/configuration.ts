// Made from manifest.json by `vitrine plugin types`. Change manifest.json instead.

/** What an admin enters. */
export type Configuration = Readonly<{
  /** Titles in the list */
  longest: number;
}>;
