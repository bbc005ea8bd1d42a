import path from 'node:path';
import { defineConfig } from 'vitest/config';

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
    exclude: ['**/node_modules/**', 'dist/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
