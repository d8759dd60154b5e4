import type { TestProject } from 'vitest/node'
import { startBroker } from './engines/broker.ts'

/** Global set-up of the projects that need real engines: an engine starts when a test first requests it (see engines/index.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = await startBroker()
  project.provide('godwitEngines', broker.url)
  return () => broker.stop()
}
