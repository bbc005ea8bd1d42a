// Made from manifest.json by `vitrine plugin types`. Change manifest.json instead.

/** What an admin enters. */
export type Configuration = Readonly<{
  /** Mark HDR */
  tellHdr: boolean;
}>;
