/** What `early.ts`, which runs before the first paint, and the app have in common. */

/** The profile that this browser used last, in its storage. */
export const lastProfileKey = 'profile';

/**
 * The user that this browser is signed in as, in its storage; missing = nobody. A page of another person
 * leaves when it changes.
 */
export const userKey = 'user';

/** Where a browser notes that somebody signed in: the first page that follows shows the frame at once. */
export const signedInKey = 'signedIn';
/** The look that this browser had last, in its storage: the attributes of the document as JSON. */
export const lookKey = 'look';
/** The key in the storage of the browser that says: this device is a television. */
export const televisionKey = 'television';
/** The attributes of the document that are its look. */
export const lookAttributes = ['lang', 'dir', 'data-theme', 'data-text-size'] as const;

/** What was asked for before the app was there. */
export interface Asked {
  /** The profile that asked; `undefined` = the default one. */
  readonly profile: string | undefined;
  /** The replies by path; each is taken once. */
  readonly replies: Map<string, Promise<Response>>;
}

declare global {
  var asked: Asked | undefined;
}
