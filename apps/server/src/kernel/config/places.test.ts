import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { requireApart } from './places.ts'

describe('the data folder and the program', () => {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-places-'))
  const program = path.join(top, 'opt/godwit')
  fs.mkdirSync(path.join(program, 'apps/server'), { recursive: true })
  fs.symlinkSync(path.join(program, 'apps'), path.join(top, 'link'))
  afterAll(() => fs.rmSync(top, { recursive: true }))

  it.each([
    'opt/godwit',
    'opt',
    '.',
    'opt/godwit/apps',
    'opt/godwit/packages/new/data',
    'link/server/data',
    'opt/godwit/node_modules',
  ])('refuses %s', (data) => expect(() => requireApart(path.join(top, data), program)).toThrow(/overlaps/))
  it.each(['opt/godwit/data', 'srv/godwit', 'opt/godwit-data', 'opt/data/apps'])('accepts %s', (data) =>
    expect(() => requireApart(path.join(top, data), program)).not.toThrow(),
  )
})
