import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startBroker } from './engines/broker.ts'

/** Global set-up of the projects that need real engines: an engine starts when a test first requests it (see engines/index.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = await startBroker()
  const folder = await mkdtemp(join(tmpdir(), 'godwit-run-'))
  project.provide('godwitEngines', broker.url)
  project.provide('godwitRunFolder', folder)
  return async () => {
    await broker.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
