import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Over PostgreSQL each statement is a way to another process. */
const patienceMs = process.env['VITRINE_TEST_DATABASE'] === 'postgres' ? 120_000 : 30_000;

export default defineConfig({
  resolve: {
    alias: {
      'vitrine/plugin-test': path.resolve(import.meta.dirname, 'src/plugin-kit/plugin-test.ts'),
    },
  },
  test: {
    include: [
      '{kernel,builtin-plugins,plugin-api,manifests-schema,src,test,examples}/**/*.test.ts',
    ],
    // The tests of the templates run in test/end-to-end/plugin-journey.test.ts, in the plugins made of them.
    exclude: ['**/node_modules/**', 'dist/**', 'plugin-api/create/templates/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
  },
});
