import type { ConfigInput } from './config-input.ts';

/** The context of each view. */
export interface ViewCatalogue {
  /** Action buttons in the header of an item's page. */
  readonly 'ui.item.detail.actions': { readonly itemId: string; readonly libraryType: string };
  /** Panels on an item's page. */
  readonly 'ui.item.detail.panels': { readonly itemId: string; readonly libraryType: string };
  /** Action buttons in the header of a library. */
  readonly 'ui.library.header.actions': { readonly libraryId: string };
  /** Buttons in the header of the player, and what a dialog shows that opens from there. */
  readonly 'ui.player.overlays': { readonly itemId: string; readonly sessionId: string };
  /** Rows of the first page. Clients show it before a slow plugin has answered. */
  readonly 'ui.home.sections': Readonly<Record<string, never>>;
  /**
   * Entries beside the app's own, in the slots `sidebar-discover`, `sidebar-bottom` and `command-palette`,
   * and what the page of the plugin has, in the slot `routes`. An action runs; a form or metadata leads to
   * the page of the plugin, which shows it.
   */
  readonly 'ui.shell': Readonly<Record<string, never>>;
  /** Sections of the page Me (`/me`), for admins. */
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
  'ui.home.sections': [],
  'ui.shell': [],
  'ui.settings.sections': [],
} as const satisfies { readonly [Name in ViewName]: readonly (keyof ViewCatalogue[Name])[] };

/** Every view name of the specification, in its order. */
export const viewNames = Object.keys(viewContextKeys) as readonly ViewName[];

/** The place of a schema on a page. */
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

/**
 * Words for people: a text, or the key of one in `locales/<language>.json`, which the server looks up
 * in the language of the viewer: `{ text: 'list.title', with: { count: 3 } }`. `with` has the value of
 * each `{name}` in the text; `count` also chooses the plural form.
 */
export type UIText =
  | string
  | { readonly text: string; readonly with?: Readonly<Record<string, string | number>> };

/** One field of a form, as in a plugin's configuration. */
export interface UIFormField<Text = UIText> {
  /** The name of its value: a letter, then letters, digits, `_`, `.` and `-`. */
  readonly key: string;
  readonly label: Text;
  readonly input: Exclude<ConfigInput, 'file-path'>;
  readonly required?: boolean;
  /** Its initial value. */
  readonly default?: string | number | boolean | null | readonly (string | number | boolean)[];
  /** For `select` and `multi-select`. */
  readonly options?: readonly (string | number | boolean)[];
  /** For `number` and `slider`. */
  readonly min?: number;
  readonly max?: number;
  readonly description?: Text;
}

/**
 * A form. Its button makes the server call `submit.rpcMethod`, which the manifest must list in
 * `actions`, with the context of the view and the entered values: `{itemId, libraryType, values:
 * {<key>: …}}`.
 */
export interface UIForm<Text = UIText> {
  readonly type: 'form';
  readonly slot: UISlot;
  readonly id: string;
  readonly title: Text;
  readonly fields: readonly UIFormField<Text>[];
  /** Without it the form is read-only. */
  readonly submit?: { readonly rpcMethod: string; readonly label: Text };
}

/**
 * One fact: a line of a table or a list, a chip, or a picture of a gallery. It is shown as text,
 * never as markup. `itemId`, `libraryId` or `entityId` links to that page.
 */
export interface UIFact<Text = UIText> {
  /** Its label: the line, the chip, or the words below a picture. */
  readonly key: Text;
  readonly value?: Text | string | number | boolean | null;
  readonly description?: Text;
  /** `/api/assets/<id>`: only pictures of the server, which checks who may see them. */
  readonly image?: string;
  readonly itemId?: string;
  readonly libraryId?: string;
  readonly entityId?: string;
}

/**
 * Facts about something: `key-value` is a table of `key` and `value`, `list` one line for each,
 * `chips` a row of short words, `gallery` pictures (`image`) with words below.
 */
export interface UIMetadata<Text = UIText> {
  readonly type: 'metadata';
  readonly slot: UISlot;
  readonly id: string;
  readonly title: Text;
  readonly layout: 'key-value' | 'list' | 'chips' | 'gallery';
  readonly fields: readonly UIFact<Text>[];
}

/**
 * A button. A click makes the server call `rpcMethod`, which the manifest must list in `actions`,
 * with the context of the view: `{itemId, libraryType}` on an item's page. It is hidden from people
 * who may not call it. The app then shows the answer of the action, if that is a text or has a text as
 * `message` (300 characters at most), and else only that it is done. An object may also have `go` and
 * `file`, see {@link UIActionAnswer}.
 */
export interface UIAction<Text = UIText> {
  readonly type: 'action';
  readonly slot: UISlot;
  readonly id: string;
  readonly label: Text;
  readonly icon?: string;
  readonly confirm?: Text;
  readonly rpcMethod: string;
}

/** What an action may answer to the person who pressed its button. The app leaves out what has another form. */
export interface UIActionAnswer {
  /** 300 characters at most. */
  readonly message?: string;
  /**
   * A page of the app: `/lists`, `/items/<id>`, `/libraries/<id>`, `/lists/<id>`, `/shows/<id>` and the other
   * entities, or `/plugins/<pluginId>` of this plugin. No query.
   */
  readonly go?: string;
  /** A text that the browser saves; the name ends with `.csv`, `.json` or `.txt`. At most 4 MiB. */
  readonly file?: { readonly name: string; readonly text: string };
}

/**
 * One UI piece. An invalid piece is dropped and reported. Clients get each with the `pluginId` of its
 * plugin, and with strings as its texts.
 */
export type UISchema<Text = UIText> = UIForm<Text> | UIMetadata<Text> | UIAction<Text>;
