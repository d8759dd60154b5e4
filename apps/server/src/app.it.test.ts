import fs from 'node:fs'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listFeatures } from './app.ts'
import { loadConfig } from './kernel/config/index.ts'
import type { Feature } from './kernel/feature.ts'
import { openKernel } from './kernel/kernel.ts'
import { createLog } from './kernel/log.ts'
import { openWorld, type World } from './testing/worlds.ts'

const SOURCE = import.meta.dirname
const LINES_MAX = 100

describe('the list of features', () => {
  let world: World
  let all: readonly Feature[]

  beforeEach(async () => {
    world = await openWorld()
    const { config } = loadConfig({ environment: { GODWIT_DATA: world.folder }, flags: {}, readSecret: () => '' })
    const { clock, database } = world
    const kernel = openKernel({ config, database, clock, random: secureRandom, log: createLog('silent') })
    ;({ all } = listFeatures(kernel, { web: undefined, documentation: undefined }))
  })
  afterEach(async () => world[Symbol.asyncDispose]())

  it('stays short enough to be read', () => {
    const lists = ['app.ts', ...fs.globSync('*/features.ts', { cwd: SOURCE })]
    const lengths = lists.map((list) => fs.readFileSync(path.join(SOURCE, list), 'utf8').split('\n').length)
    expect(lists).toHaveLength(7)
    expect(Math.max(...lengths)).toBeLessThan(LINES_MAX)
  })

  it('names each feature as its folder', () => {
    const folders = fs.globSync('*/*/', { cwd: SOURCE }).map((folder) => path.basename(folder))
    expect(all.filter(({ name }) => !folders.includes(name))).toEqual([])
    expect(all.length).toBeGreaterThan(20)
  })

  it('touches nothing before it is started', () => {
    expect(fs.existsSync(path.join(world.folder, 'files'))).toBe(false)
  })
})
