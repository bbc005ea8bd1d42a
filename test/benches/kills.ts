import { openKilledDeliveries } from '../support/faults/killed-deliveries.ts';
import { openKilledIngest } from '../support/faults/killed-ingest.ts';
import { openKilledLives } from '../support/faults/killed-lives.ts';
import { openKilledMigrations } from '../support/faults/killed-migrations.ts';
import { seeded } from '../support/seeded.ts';
import type { Figure } from './figure.ts';
import { sized } from './size.ts';

const films = sized(3000, 300);
const longestIngestMs = 2000;
const longestLifeMs = 600;
const longestDeliveryMs = 1500;
/** A kill may come when the ingest is just through: so many tries for each that has to hit. */
const mostTries = 3;

/** Of a hundred kills: the domains alone, upgrades of a database, and whole servers. */
const shares = { lives: 60, migrations: 20, ingests: 10, deliveries: 10 } as const;

interface Ended {
  readonly name: string;
  readonly kills: number;
  readonly wrongs: readonly string[];
}

/**
 * kill -9 at so many random moments of scans, backups, upgrades, ingests and deliveries, and what that
 * loses, doubles or gets wrong: nothing. `BENCH_KILLS` and `BENCH_SEED` say how many, and which.
 */
export async function benchKills(usual: number): Promise<readonly Figure[]> {
  const all = Number(process.env['BENCH_KILLS'] ?? usual);
  const seed = Number(process.env['BENCH_SEED'] ?? Date.now() % 1_000_000);
  console.log(`${all} kills, BENCH_SEED=${seed}`);
  const random = seeded(seed);
  const share = (of: keyof typeof shares): number => Math.ceil((all * shares[of]) / 100);
  const ended = [
    await killLives(random, share('lives')),
    await killMigrations(random, share('migrations')),
    await killIngests(share('ingests')),
    await killDeliveries(random, share('deliveries')),
  ];
  return ended.flatMap(({ name, kills, wrongs }) => {
    for (const wrong of wrongs.slice(0, 20)) console.error(`${name}: ${wrong}`);
    const figure = (what: string, ours: number, goal: number, unit: string): Figure => ({
      ...{ name: `kills: ${name}, ${what}`, ours, bare: null, unit, goal },
    });
    return [
      figure('kills', kills, -kills, 'kills'),
      figure('lost, doubled or wrong', wrongs.length, 0, 'faults'),
    ];
  });
}

async function killLives(random: () => number, kills: number): Promise<Ended> {
  const lives = await openKilledLives(random, longestLifeMs);
  try {
    for (let kill = 0; kill < kills; kill++) await lives.kill();
    const wrongs = await lives.wrongs();
    console.log('acknowledged before the kills:', lives.heard());
    return { name: 'scan, store, audit and backup', kills, wrongs };
  } finally {
    await lives.close();
  }
}

async function killMigrations(random: () => number, kills: number): Promise<Ended> {
  const migrations = await openKilledMigrations(random);
  try {
    const ends: Record<string, number> = {};
    for (let kill = 0; kill < kills; kill++) {
      const end = await migrations.kill();
      ends[end] = (ends[end] ?? 0) + 1;
    }
    console.log('databases after a killed upgrade:', ends);
    return { name: 'upgrade', kills, wrongs: migrations.wrongs };
  } finally {
    await migrations.close();
  }
}

async function killIngests(kills: number): Promise<Ended> {
  const ingest = await openKilledIngest(films, longestIngestMs);
  try {
    let hits = 0;
    for (let tries = 0; hits < kills && tries < kills * mostTries; tries++)
      if (await ingest.kill()) hits += 1;
    return { name: `ingest of ${films} films`, kills: hits, wrongs: await ingest.faults() };
  } finally {
    await ingest.close();
  }
}

async function killDeliveries(random: () => number, kills: number): Promise<Ended> {
  const deliveries = await openKilledDeliveries(random, longestDeliveryMs);
  try {
    for (let kill = 0; kill < kills; kill++) await deliveries.kill();
    const wrongs = await deliveries.wrongs();
    console.log('changes acknowledged, and delivered:', deliveries.acknowledged());
    return { name: 'delivery', kills, wrongs };
  } finally {
    await deliveries.close();
  }
}
