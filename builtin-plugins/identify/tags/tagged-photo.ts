import type { Identification, MediaTags } from '../../../plugin-api/index.ts';
import { nameValues } from './name-values.ts';
import { compact } from '../kinds/identify-context.ts';
import { commonMetadata } from './tag-metadata.ts';

/** A photo: when, where and with what it was taken; its name stays its title. */
export function taggedPhoto(named: Identification, tags: MediaTags): Identification {
  const year = tags.year ?? nameValues(named).number('year');
  const { takenAt, camera, lens, latitude, longitude } = tags;
  return {
    ...named,
    metadata: {
      ...named.metadata,
      ...commonMetadata(tags, named.metadata),
      ...(year === undefined ? {} : { year }),
      ...compact({ takenAt, camera, lens, latitude, longitude }),
    },
  };
}
