/** What each view is asked with. */
export interface ViewCatalogue {
  /** Action buttons in the header of an item's page. */
  readonly 'ui.item.detail.actions': { readonly itemId: string; readonly libraryType: string };
  /** Panels on an item's page. */
  readonly 'ui.item.detail.panels': { readonly itemId: string; readonly libraryType: string };
  /** Action buttons in the header of a library. */
  readonly 'ui.library.header.actions': { readonly libraryId: string };
  /** Overlays on the player. */
  readonly 'ui.player.overlays': { readonly itemId: string; readonly sessionId: string };
  /** Further sections of the settings. */
  readonly 'ui.settings.sections': Readonly<Record<string, never>>;
}

/** The name of a view. */
export type ViewName = keyof ViewCatalogue;

/** Every view name with the keys that its context must have. */
export const viewContextKeys = {
  'ui.item.detail.actions': ['itemId', 'libraryType'],
  'ui.item.detail.panels': ['itemId', 'libraryType'],
  'ui.library.header.actions': ['libraryId'],
  'ui.player.overlays': ['itemId', 'sessionId'],
  'ui.settings.sections': [],
} as const satisfies { readonly [Name in ViewName]: readonly (keyof ViewCatalogue[Name])[] };

/** Every view name of the specification, in its order. */
export const viewNames = Object.keys(viewContextKeys) as readonly ViewName[];

/** Where on a page a schema is placed. */
export const uiSlots = [
  'sidebar-discover',
  'sidebar-bottom',
  'header-actions',
  'hero-banner',
  'home-sections',
  'detail-actions',
  'detail-metadata',
  'detail-sections',
  'player-overlay',
  'settings-panes',
  'command-palette',
  'routes',
] as const;

/** The id of a slot. */
export type UISlot = (typeof uiSlots)[number];

/** A form; its fields are those of a plugin's configuration. */
export interface UIForm {
  readonly type: 'form';
  readonly slot: UISlot;
  readonly id: string;
  readonly title: string;
  readonly fields: readonly Readonly<Record<string, unknown>>[];
}

/** Facts about something, laid out as a table, a list, chips or pictures. */
export interface UIMetadata {
  readonly type: 'metadata';
  readonly slot: UISlot;
  readonly id: string;
  readonly title: string;
  readonly layout: 'key-value' | 'list' | 'chips' | 'gallery';
  readonly fields: readonly Readonly<Record<string, unknown>>[];
}

/** A button; a click makes the server call `rpcMethod`, which the manifest must list in `actions`. */
export interface UIAction {
  readonly type: 'action';
  readonly slot: UISlot;
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  readonly confirm?: string;
  readonly rpcMethod: string;
}

/** One piece of user interface. A schema that does not fit is dropped and reported. */
export type UISchema = UIForm | UIMetadata | UIAction;
