/** What the folders of a track say. */
export interface AlbumFolders {
  readonly artist: string | undefined;
  readonly album: string | undefined;
  readonly year: number | undefined;
  readonly disc: number | undefined;
  readonly isCompilation: boolean;
  /** Who made the release; scene names end with it. */
  readonly group?: string;
}
