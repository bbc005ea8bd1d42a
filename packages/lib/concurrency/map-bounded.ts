/** Runs a function on each item, at most `atOnce` at a time. Results are in the order of the items. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Array<Result>(items.length);
  const queue = items.entries();

  async function work(): Promise<void> {
    for (const [index, item] of queue) results[index] = await run(item);
  }

  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return results;
}
