import { quantile, type Figure } from '../figure.ts';
import { writeBetween, type CatalogueBench } from './catalogue-bench.ts';

const times = 40;

async function answered(
  bench: CatalogueBench,
  { name, route, goal }: { readonly name: string; readonly route: string; readonly goal: number },
): Promise<readonly Figure[]> {
  const measured = await writeBetween(bench, route, times);
  return [{ name, ours: quantile(measured, 0.5), bare: null, unit: 'ms', goal }];
}

/** The first page in one request, each time after a write. */
export const homeFigures = (bench: CatalogueBench): Promise<readonly Figure[]> =>
  answered(bench, { name: 'home in one request, p50', route: '/api/home', goal: 20 });

/** 500 entities with their counts, each time after a write. */
export const entityFigures = (bench: CatalogueBench): Promise<readonly Figure[]> =>
  answered(bench, {
    name: '500 entities with counts, p50',
    route: '/api/entities?type=artist&limit=500',
    goal: 20,
  });
