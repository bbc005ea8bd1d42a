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
export type PipelineEvents = ReturnType<typeof createPipelineEvents>;

const mostPerSecond = 20;

export function createPipelineEvents(emit: EmitPipelineEvent, clock: Clock) {
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
    discovered: (libraryId: string, itemId: string): void => {
      const name = 'pipeline.item.discovered';
      if (room(name, 1) > 0) emit(name, { itemId, libraryId, state: 'discovered' });
    },
    enters: ({ libraryId, itemIds }: PipelineItems, state: 'probing' | 'identifying'): void =>
      changed(libraryId, itemIds, state),
    /** `failed` = a file of it could not be read. */
    leaves: (libraryId: string, itemId: string, state: 'completed' | 'failed'): void => {
      changed(libraryId, [itemId], state);
      const name = 'pipeline.item.completed';
      if (room(name, 1) > 0) emit(name, { itemId, libraryId, state });
    },
    stepStarts: (items: PipelineItems, which: PipelineStep): void =>
      step('pipeline.step.started', items, which, null),
    stepEnds: (items: PipelineItems, which: PipelineStep, durationMs: number): void =>
      step('pipeline.step.completed', items, which, durationMs),
  };
}
