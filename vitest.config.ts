import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/run/longest-first.ts';
import { isNightly } from './test/support/run/nightly.ts';

/** Ends a test that hangs. It measures nothing: on a busy machine a test may take ten times as long. */
const patienceMs = 240_000;

/**
 * Tests that count the processes below their own, or the timers in it, that plant a canary in it, or that
 * load modules again.
 */
const apart = [
  'kernel/{dispatch,events/event-bus,hooks/{batched-dispatch,hook-chains},views/view-aggregator}.test.ts',
  '{kernel/run/sandbox,test/escapes}/**/*.test.ts',
  'test/plugins/quotas.test.ts',
  'examples/notifier/messages.test.ts',
  'packages/lib/identity-protocol/vectors.test.ts',
];
/** What depends most on the database, and runs over PostgreSQL as well when a run asks for both. */
const overBoth = [
  isNightly
    ? 'test/conformance/**/*.test.ts'
    : 'test/conformance/{item-lists,people,resources}.test.ts',
  ...(isNightly
    ? [
        'src/{library/catalogue/entities,viewing/{collections,moved-items},work,platform/audit}/**/*.test.ts',
      ]
    : []),
];
const asksForBoth = process.env['VITRINE_TEST_DATABASE'] === 'both';
/** All others leave nothing behind: they share a process, so that what they test is loaded once. */
const together = ['**/*.test.ts'];

/** What takes longer than a suite that is run for each change can afford: `npm run nightly` runs it. */
const byNight = [
  '**/*.nightly.test.ts',
  'examples/{notifier/notifier,s3-filesystem/s3-filesystem}.test.ts',
];

// The tests of the templates run in test/end-to-end/plugin-journey.nightly.test.ts, in the plugins made of them.
const exclude = [
  '**/node_modules/**',
  'dist/**',
  'plugin-api/create/templates/**',
  ...(isNightly ? [] : byNight),
];

export default defineConfig({
  test: {
    globalSetup: ['test/support/run/global-setup.ts'],
    pool: 'forks',
    // Node loads the modules: what it compiled is kept, and no second program transforms them.
    experimental: { viteModuleRunner: false },
    setupFiles: [path.resolve(import.meta.dirname, 'test/support/run/native-modules.mjs')],
    // Two more than there are processors: many tests wait, for a process or for a moment to come.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    // It ends a wait that hangs: on a busy machine a page may take seconds to show what it has.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'apart', include: apart, exclude } },
      {
        extends: true,
        test: {
          name: 'together',
          include: together,
          exclude: [...exclude, ...apart],
          isolate: false,
        },
      },
      ...(asksForBoth
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                include: overBoth,
                exclude: [...exclude, ...apart],
                isolate: false,
                env: { VITRINE_TEST_DATABASE: 'postgres' },
              },
            },
          ]
        : []),
    ],
  },
});
