import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// The workers, and the servers and programs that tests start, share what Node has compiled (see apps/server/bin/godwit.js).
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/godwit')

const sources = ['packages/*/src/**', 'apps/*/src/**', 'scripts/**', 'bench/src/**']
const integration = sources.map((folder) => `${folder}/*.it.test.ts`)
const torture = [...sources, 'e2e/**'].map((folder) => `${folder}/*.torture.test.ts`)
const fuzz = sources.map((folder) => `${folder}/*.fuzz.test.ts`)

/** unit: pure and fast. integration: real engines, started by the global setup. torture: the full counts of the fault plan. fuzz: decoders, for hours. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: sources.map((folder) => `${folder}/*.test.{ts,tsx}`),
          exclude: [...integration, ...torture, ...fuzz, '**/node_modules/**'],
          // Pure functions keep no state: one worker loads each module once instead of once for each of 300 files.
          isolate: false,
          // Ample, so that a slow machine fails no test.
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: integration,
          // Node reads TypeScript itself, as it does for the server: each file begins in half the processor time.
          experimental: { viteModuleRunner: false },
          testTimeout: 600_000,
          hookTimeout: 300_000,
          // What a test waits for comes when a busy machine gets to it.
          expect: { poll: { timeout: 25_000 } },
          globalSetup: ['packages/testkit/src/vitest-engines.ts'],
          // They wait for servers, disks and the next tick for two thirds of their time, so four side by side fill two cores.
          maxWorkers: 4,
          // Each worker loads the server once, not once for each of 230 files; a test keeps nothing outside of its own site.
          isolate: false,
        },
      },
      {
        test: {
          name: 'torture',
          include: torture,
          testTimeout: 3_600_000,
          hookTimeout: 120_000,
          globalSetup: ['packages/testkit/src/vitest-engines.ts'],
          fileParallelism: false,
        },
      },
      { test: { name: 'fuzz', include: fuzz, testTimeout: 36_000_000 } },
    ],
  },
})
