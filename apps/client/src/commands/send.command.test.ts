import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chosenFile } from './send.command.ts'

describe('a file that was chosen in a file manager', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-send-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it.each(['-rf', '--json', 'a b', 'line\nbreak', '100%', '%41', `q'"\\$x`, '塍鹬', 'file:'])(
    'is found by its path and by its address: %j',
    async (name) => {
      const path = join(folder, name)
      writeFileSync(path, 'x')
      expect(await chosenFile(path)).toEqual({ path, fault: '' })
      expect(await chosenFile(pathToFileURL(path).href)).toEqual({ path, fault: '' })
    },
  )

  it('is named with its fault when it is gone or its name is no UTF-8', async () => {
    expect(await chosenFile(join(folder, 'gone'))).toMatchObject({ fault: 'not-found' })
    expect(await chosenFile(`file://${folder}/bad%FF`)).toMatchObject({ fault: 'not-utf8' })
    expect(await chosenFile(`file://${folder}/zero%00`)).toMatchObject({ fault: 'not-utf8' })
    expect((await chosenFile('file://')).path).not.toContain('\0')
  })
})
