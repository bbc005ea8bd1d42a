import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** For a machine that does other things, too; over PostgreSQL each statement is a way to another process. */
const patienceMs = process.env['VITRINE_TEST_DATABASE'] === 'postgres' ? 120_000 : 60_000;

/**
 * Tests that leave nothing behind in their process: they share it with others, so that what they test is
 * loaded once.
 */
const together = ['{builtin-plugins,plugin-api,manifests-schema,src}/**/*.test.ts'];
/** Tests that count timers, processes or memory, or that may take their process with them. */
const apart = ['{kernel,test,examples}/**/*.test.ts'];

// The tests of the templates run in test/end-to-end/plugin-journey.test.ts, in the plugins made of them.
const exclude = ['**/node_modules/**', 'dist/**', 'plugin-api/create/templates/**'];

export default defineConfig({
  resolve: {
    alias: {
      'vitrine/plugin-test': path.resolve(import.meta.dirname, 'src/plugin-kit/plugin-test.ts'),
    },
  },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // One more than there are processors: many tests wait, for the disk or for a process.
    maxWorkers: availableParallelism() + 1,
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    projects: [
      { extends: true, test: { name: 'apart', include: apart, exclude } },
      { extends: true, test: { name: 'together', include: together, exclude, isolate: false } },
    ],
  },
});
