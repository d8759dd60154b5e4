import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkKey } from './keys.ts'
import { anyPath } from './testing/any-path.ts'
import { cutPowerEverywhere, failEverywhere } from './testing/day-of-a-store.ts'
import type { Survival } from './testing/memory-disk.ts'
import { workWhileSwapped } from './testing/swapping.ts'
import { temporaryStore } from './testing/temporary-store.ts'

it('keeps a million random paths inside the root (row A03)', () => {
  let accepted = 0
  fc.assert(
    fc.property(anyPath(), (key) => {
      try {
        checkKey(key)
      } catch {
        // Refused, which is always safe.
        return true
      }
      accepted++
      return path.relative('/srv/files', path.resolve('/srv/files', key)) === key
    }),
    { numRuns: 1_000_000 },
  )
  expect(accepted).toBeGreaterThan(10_000)
})

it('lets nothing out while a folder and a link are swapped during 10,000 operations', async () => {
  const temporary = await temporaryStore()
  const { succeeded, escaped } = await workWhileSwapped(temporary, 10_000)
  expect(escaped).toEqual([])
  expect(succeeded).toBeGreaterThan(0)
  expect(await fs.readFile(path.join(temporary.outside, 'secret'), 'utf8')).toBe('secret')
  await temporary.close()
})

it('lists each of 60,000 files once while others come and go in their folder, 500 times', async () => {
  const temporary = await temporaryStore()
  const stable = Array.from({ length: 60_000 }, (_, at) => `stable ${at}`)
  for (const name of stable) await fs.writeFile(path.join(temporary.root, name), '')
  const others = comeAndGo(temporary.root)
  try {
    for (let turn = 0; turn < 500; turn++) {
      const names = (await Array.fromAsync(temporary.store.list(''))).flatMap((page) => page.names)
      const listed = new Set(names)
      expect(listed.size).toBe(names.length)
      expect(stable.filter((name) => !listed.has(name))).toEqual([])
    }
  } finally {
    await others.stop()
    await temporary.close()
  }
})

/** Fills and empties a folder as fast as it can. */
function comeAndGo(folder: string): { stop(): Promise<void> } {
  const code = `
    import fs from 'node:fs'
    for (let round = 0; ; round++) {
      const names = Array.from({ length: 2_000 }, (_, at) => process.argv[1] + '/passing ' + round + ' ' + at)
      for (const name of names) fs.writeFileSync(name, '')
      for (const name of names) fs.unlinkSync(name)
    }`
  const program = spawn(process.execPath, ['--input-type=module', '-e', code, folder], { stdio: 'inherit' })
  const ended = once(program, 'exit')
  return {
    async stop() {
      program.kill('SIGKILL')
      await ended
    },
  }
}

describe('faults of the disk (rows 03 to 06)', () => {
  it.each<Survival>(['none', 'all', 'some'])(
    'lose no acknowledged byte in thousands of power cuts (%s survives)',
    async (survival) => {
      expect(await cutPowerEverywhere(survival, survival === 'some' ? 25 : 1)).toBeGreaterThan(150)
    },
  )

  it.each(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES'])(
    'leave every word kept when any single call fails with %s',
    async (code) => {
      expect(await failEverywhere(code)).toBeGreaterThan(150)
    },
  )
})
