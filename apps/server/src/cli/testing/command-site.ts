import fs from 'node:fs'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { afterEach, beforeEach } from 'vitest'
import { openWorld, type World } from '../../testing/worlds.ts'
import type { Io } from '../command.types.ts'
import { runCli } from '../run.ts'

/** Runs commands as an operator does, on an installation that is new for each test; `out` and `err` are what the last one printed. */
export function commandSite() {
  let world: World
  let out = ''
  let err = ''

  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(async () => world[Symbol.asyncDispose]())

  async function godwit(words: string, change: Partial<Io> = {}): Promise<number> {
    out = ''
    err = ''
    const io: Io = {
      stdout: (text) => void (out += text),
      stderr: (text) => void (err += text),
      environment: { GODWIT_DATA: world.folder },
      clock: systemClock,
      random: secureRandom,
      signal: new AbortController().signal,
      ...change,
    }
    return runCli(
      words.split(' ').filter((word) => word !== ''),
      io,
    )
  }

  function file(name: string, content: string): string {
    const target = path.join(world.folder, name)
    fs.writeFileSync(target, content)
    return target
  }

  async function addUser(account: string): Promise<number> {
    return godwit(
      `user add --account ${account} --email ${account}@example.org --password-file ${file('pw', 'Sunrise-42x\n')}`,
    )
  }

  /** The environment of a call that uses another database. */
  function databaseAt(url: string): Io['environment'] {
    return { GODWIT_DATA: world.folder, GODWIT_DATABASE_URL: url }
  }

  return {
    get world() {
      return world
    },
    get out() {
      return out
    },
    get err() {
      return err
    },
    ...{ godwit, file, addUser, databaseAt },
  }
}
