import type { TranscodeFailure, TranscodeIndex } from '../../../plugin-api/index.ts';
import type { CheckedPlan } from './checked-plan.ts';

/** What was planned lately: viewers of one film ask for the same segments. */
export interface PlanMemory {
  readonly indexes: Pick<Map<string, TranscodeIndex | TranscodeFailure>, 'get' | 'set'>;
  /** The plan of this key, made once for all who ask for it at the same time. */
  readonly plan: (key: string, make: () => Promise<CheckedPlan>) => Promise<CheckedPlan>;
  /** The same for an index, which is not kept here. */
  readonly once: (
    key: string,
    find: () => Promise<TranscodeIndex | TranscodeFailure>,
  ) => Promise<TranscodeIndex | TranscodeFailure>;
}

const mostIndexes = 64;
/** Bytes of all plans: a usual one has some kilobytes. */
const mostPlanBytes = 16 * 1024 * 1024;

/** Creates it, empty. */
export function createPlanMemory(): PlanMemory {
  const indexes = new Map<string, TranscodeIndex | TranscodeFailure>();
  const plans = new Map<string, CheckedPlan>();
  let planBytes = 0;
  const plansUnderWay = new Map<string, Promise<CheckedPlan>>();
  const indexesUnderWay = new Map<string, Promise<TranscodeIndex | TranscodeFailure>>();

  function keep(key: string, plan: CheckedPlan): void {
    plans.set(key, plan);
    planBytes += bytesOf(plan);
    for (const [oldest, old] of plans) {
      if (planBytes <= mostPlanBytes) return;
      plans.delete(oldest);
      planBytes -= bytesOf(old);
    }
  }

  return {
    indexes: {
      get: (key) => indexes.get(key),
      set: (key, index) => {
        indexes.delete(key);
        indexes.set(key, index);
        const [oldest] = indexes.keys();
        if (indexes.size > mostIndexes && oldest !== undefined) indexes.delete(oldest);
        return indexes;
      },
    },
    plan: async (key, make) => {
      const known = plans.get(key);
      if (known !== undefined) return known;
      return shared(plansUnderWay, key, async () => {
        const made = await make();
        keep(key, made);
        return made;
      });
    },
    once: (key, find) => shared(indexesUnderWay, key, find),
  };
}

const bytesOf = ({ head, inserts, pieces }: CheckedPlan): number =>
  head.length + inserts.length + pieces.byteLength + 500;

/** One run for all who ask while it runs. */
function shared<Result>(
  underWay: Map<string, Promise<Result>>,
  key: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const known = underWay.get(key);
  if (known !== undefined) return known;
  const made = run().finally(() => underWay.delete(key));
  underWay.set(key, made);
  return made;
}
