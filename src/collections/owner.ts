import type { Viewer } from '../accounts/index.ts';

/** Whose collections: those of one profile. What it is called is unique among all of the user's. */
export interface Owner {
  readonly userId: string;
  readonly profileId: string;
}

/** Whose collections a viewer has. */
export const ownerOf = ({ userId, profileId }: Viewer): Owner => ({ userId, profileId });
