/** Files of discs in the pipeline: what the probe says of them becomes the parts of an item, and its extras. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProbeOutcome, ProbeReport } from '../../../plugin-api/index.ts';
import {
  everything,
  openTestIngestion,
  type TestIngestion,
  type TestPlugins,
} from '../../../test/support/library/ingestion.ts';

async function open(plugins: TestPlugins): Promise<TestIngestion> {
  const ingestion = await openTestIngestion(plugins);
  onTestFinished(ingestion.close);
  return ingestion;
}

async function only({ library }: TestIngestion) {
  const [item] = (await library.items.list(everything, { limit: 2 })).items;
  return library.items.get(item?.id ?? '', everything);
}

const video = { index: 0, kind: 'video', codec: 'mpeg2video', width: 720, height: 576 } as const;
const read = (report: object): ProbeOutcome => ({
  kind: 'read',
  report: { container: 'mpeg', streams: [video], ...report },
});

describe('a disc', () => {
  /** What the probe says of a file, by its name. */
  const discs = new Map<string, NonNullable<ProbeReport['disc']>>();
  const disc = (role: 'main' | 'extra', part?: number) => ({ role, ...(part && { part }) });
  const probe = ({ uri }: { readonly uri: string }) => {
    const found = discs.get(uri.slice(uri.lastIndexOf('/') + 1));
    return read({ duration: 10, ...(found && { disc: found }) });
  };
  const shown = async (ingestion: TestIngestion) => {
    const { files } = await only(ingestion);
    return files.map(
      ({ filename, classification, partNumber }) =>
        `${filename} ${classification} ${String(partNumber)}`,
    );
  };

  test('plays the film part by part, and has the rest as extras', async () => {
    const told = (path: string) => ({
      ...{ title: 'Film', metadata: {} },
      ...(path.includes('Bonus') && { classification: 'extra' as const }),
      ...(path.includes('DVD2') && { partNumber: 2 }),
    });
    discs.clear();
    for (const name of ['menu', 'other']) discs.set(`${name}.mkv`, disc('extra'));
    for (const name of ['b1', 'DVD2-1', 'Bonus']) discs.set(`${name}.mkv`, disc('main', 1));
    for (const name of ['a2', 'DVD2-2']) discs.set(`${name}.mkv`, disc('main', 2));
    const ingestion = await open({
      name: told,
      full: { 'by-folder': ({ path }) => told(path) },
      probe,
    });
    const names = ['a2', 'b1', 'menu', 'other', 'Bonus', 'DVD2-1', 'DVD2-2'];
    await ingestion.scan(names.map((name) => `Film/${name}.mkv`));

    await ingestion.run();

    const expected = [
      ...[
        'b1.mkv primary 1',
        'a2.mkv primary 2',
        'DVD2-1.mkv primary 2001',
        'DVD2-2.mkv primary 2002',
      ],
      ...['Bonus.mkv extra null', 'menu.mkv extra null', 'other.mkv extra null'],
    ];
    expect(await shown(ingestion)).toEqual(expected);
    // A further look at the stored reports changes nothing.
    await ingestion.run({ type: 'identify' });
    expect(await shown(ingestion)).toEqual(expected);
  });

  test('reads its other files again when one comes', async () => {
    discs.clear();
    discs.set('a.mkv', disc('main'));
    const ingestion = await open({ probe });
    await ingestion.scan(['Film/a.mkv']);
    await ingestion.run();
    expect(await shown(ingestion)).toEqual(['a.mkv primary null']);

    discs.set('a.mkv', disc('extra')).set('b.mkv', disc('main'));
    await ingestion.scan(['Film/a.mkv', 'Film/b.mkv']);
    await ingestion.run();
    expect(await shown(ingestion)).toEqual(['b.mkv primary null', 'a.mkv extra null']);

    discs.set('a.mkv', disc('main', 1)).set('b.mkv', disc('main', 2));
    await ingestion.scan(['Film/a.mkv', 'Film/b.mkv', 'Film/c.mkv']);
    await ingestion.run();
    expect((await shown(ingestion)).slice(0, 3)).toContain('a.mkv primary 1');
  });
});
