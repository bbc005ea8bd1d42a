import type { Database } from '../../../kernel/store/index.ts';
import type { PlaybackEventData } from '../../../plugin-api/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Entities, Items } from '../../library/catalogue/index.ts';

export interface PlaybackParts {
  readonly database: Database;
  readonly access: Pick<Access, 'filterVisible' | 'scopeOf'>;
  readonly items: Pick<Items, 'getMany' | 'getTiles'>;
  readonly entities: Pick<Entities, 'find'>;
  readonly events: {
    readonly emit: (
      type: 'playback.progress' | 'playback.completed' | 'playback.removed',
      data: PlaybackEventData,
    ) => void;
    readonly room: (timeoutMs: number) => Promise<void>;
  };
  readonly now: () => number;
}
