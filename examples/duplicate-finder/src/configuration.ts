// Made from manifest.json by `vitrine plugin types`. Change manifest.json instead.

/** What an admin enters. */
export type Configuration = Readonly<{
  /** Also show copies of another quality or edition */
  showVersions: boolean;
  /** Minutes to wait after a scan */
  quietMinutes: number;
}>;
