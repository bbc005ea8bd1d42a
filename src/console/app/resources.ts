/** The fields of the server's resources that the pages show. */
export interface Library {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly itemCount: number;
  readonly lastScanAt: string | null;
}

export interface LibraryFile {
  readonly id: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly mediaKind: 'video' | 'audio' | 'image' | 'text';
  readonly type: string;
  readonly classification: string;
  readonly size: number;
  readonly duration: number | null;
}

export interface Item {
  readonly id: string;
  readonly title: string;
  readonly libraryName: string;
  readonly certification: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly files: readonly LibraryFile[];
  readonly assets: Readonly<Record<string, string>>;
  readonly linkedEntities: readonly LinkedEntity[];
  readonly playback: {
    readonly completed: boolean;
    readonly position: number;
    readonly duration: number;
  };
}

export interface LinkedEntity {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly role: string;
}

export interface ItemsPage {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}
