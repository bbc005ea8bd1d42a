import type { EventCatalogue } from '../../../plugin-api/index.ts';
import type { Clock } from '../../platform/clock.ts';

type PipelineEventName = Extract<
  keyof EventCatalogue,
  `pipeline.${string}` | 'library.item.enriched' | `admin.pipeline.${string}`
>;

/** Emits one event, without waiting. */
export type EmitPipelineEvent = <Name extends PipelineEventName>(
  type: Name,
  data: EventCatalogue[Name],
) => void;

export type ItemState = 'discovered' | 'probing' | 'identifying' | 'completed' | 'failed';

export type PipelineStep = 'probe' | 'identify' | 'commit';

/** Some items in the same step at the same time. */
export interface PipelineItems {
  readonly libraryId: string;
  readonly itemIds: readonly string[];
}

/**
 * Emits the progress of items. These events show activity and are not complete: 20 of each name are
 * sent per second, the others are dropped. For every item there is `library.item.*`.
 */
export interface PipelineEvents {
  readonly discovered: (libraryId: string, itemId: string) => void;
  readonly enters: (items: PipelineItems, state: 'probing' | 'identifying') => void;
  /** `failed` = a file of it could not be read. */
  readonly leaves: (libraryId: string, itemId: string, state: 'completed' | 'failed') => void;
  readonly stepStarts: (items: PipelineItems, step: PipelineStep) => void;
  readonly stepEnds: (items: PipelineItems, step: PipelineStep, durationMs: number) => void;
}

const mostPerSecond = 20;

export function createPipelineEvents(emit: EmitPipelineEvent, clock: Clock): PipelineEvents {
  const sent = new Map<string, { second: number; count: number }>();

  /** How many more of this name may be sent in this second, at most as many as wanted. */
  function room(name: string, wanted: number): number {
    const second = Math.floor(clock.now() / 1000);
    const known = sent.get(name);
    const entry = known?.second === second ? known : { second, count: 0 };
    sent.set(name, entry);
    const granted = Math.min(wanted, mostPerSecond - entry.count);
    entry.count += granted;
    return granted;
  }

  function changed(libraryId: string, itemIds: readonly string[], state: ItemState): void {
    const name = 'pipeline.item.stateChanged';
    for (const itemId of itemIds.slice(0, room(name, itemIds.length)))
      emit(name, { itemId, libraryId, state });
  }

  function step(
    name: 'pipeline.step.started' | 'pipeline.step.completed',
    { libraryId, itemIds }: PipelineItems,
    which: PipelineStep,
    durationMs: number | null,
  ): void {
    for (const itemId of itemIds.slice(0, room(name, itemIds.length)))
      emit(name, { itemId, libraryId, step: which, durationMs });
  }

  return {
    discovered: (libraryId, itemId) => {
      const name = 'pipeline.item.discovered';
      if (room(name, 1) > 0) emit(name, { itemId, libraryId, state: 'discovered' });
    },
    enters: ({ libraryId, itemIds }, state) => changed(libraryId, itemIds, state),
    leaves: (libraryId, itemId, state) => {
      changed(libraryId, [itemId], state);
      const name = 'pipeline.item.completed';
      if (room(name, 1) > 0) emit(name, { itemId, libraryId, state });
    },
    stepStarts: (items, which) => step('pipeline.step.started', items, which, null),
    stepEnds: (items, which, durationMs) =>
      step('pipeline.step.completed', items, which, durationMs),
  };
}
