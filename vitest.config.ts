import { defineConfig } from 'vitest/config';
import { seedReporter } from './test/support/seed.ts';

export default defineConfig({
  // One copy of graphql for our modules and for those of the packages, which Node resolves to this file.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{client,page,test,trials}/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    reporters: ['default', seedReporter],
    pool: 'forks',
    // Much of a test's time is waiting, for processes and for the disk: a third worker uses it.
    maxWorkers: 3,
    // Files share what they import; no test leaves anything behind in a module.
    isolate: false,
    // These limits are for what hangs, not for what is slow: a machine may have others' work to do.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
