import type { Viewer } from '../../people/viewer/index.ts';

/** The profile that owns collections. Distributed ids are unique among all profiles of the user. */
export interface Owner {
  readonly userId: string;
  readonly profileId: string;
}

/** The owner that a viewer acts as. */
export const ownerOf = ({ userId, profileId }: Viewer): Owner => ({ userId, profileId });
