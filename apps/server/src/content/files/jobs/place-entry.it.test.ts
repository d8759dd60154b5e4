import fs from 'node:fs'
import path from 'node:path'
import type { ConflictPolicy } from '@godwit/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Storages } from '../../../foundation/storages/index.ts'
import type { UserCtx } from '../../../kernel/context.ts'
import { userPrincipal } from '../../../testing/principals.ts'
import { createLog } from '../../../kernel/log.ts'
import { callerCtx, openWorld, type World, openWorldStorages } from '../../../testing/worlds.ts'
import { createFiles, type FilesDeps } from '../files.deps.ts'
import { nameOf, placeOf, requireEntry, requireFolder, type Location } from '../../access/index.ts'
import { makeFolder, rename } from '../files.service.ts'
import { actorOf } from '../steps/index.ts'
import { placeEntry } from './place-entry.ts'

const PLACE = { spaceId: 1, groupId: 0 }

describe('an entry that is on its way for long', () => {
  let world: World
  let storages: Storages
  let files: FilesDeps
  let ctx: UserCtx

  beforeEach(async () => {
    world = await openWorld()
    storages = await openWorldStorages(world)
    files = createFiles({ ...world, storages, db: world.database.db, log: createLog('silent') })
    ctx = { ...callerCtx(), principal: userPrincipal() }
    for (const folder of ['one', 'two', 'target']) fs.mkdirSync(home(folder), { recursive: true })
    fs.writeFileSync(home('one/Report.pdf'), 'one')
    fs.writeFileSync(home('two/report.pdf'), 'two')
    fs.writeFileSync(home('two/Report.pdf'), 'same')
  })
  afterEach(async () => {
    await storages.close()
    await world[Symbol.asyncDispose]()
  })

  const home = (...parts: string[]) => path.join(world.folder, 'files/users/alice', ...parts)
  const at = (where: string) => files.access.open(ctx, placeOf(PLACE), where, 'copy')

  /** A copy that begins at once and is not done before `finish`. */
  const copy = (from: string, conflict: ConflictPolicy = 'fail') => {
    const begun = Promise.withResolvers<string>()
    const gate = Promise.withResolvers<void>()
    const carrier = {
      holdsFolder: false,
      needs: { file: 'copyHere', folder: 'copyFolderHere' } as const,
      carry: async (source: Awaited<ReturnType<typeof requireEntry>>, target: Location) => {
        begun.resolve(nameOf(target))
        await gate.promise
        await target.store.copy(source.location.key, target.key, { conflict: 'fail' })
      },
      emptied: () => Promise.resolve(),
    }
    const done = (async () => {
      const source = await requireEntry(await at(from))
      const folder = await requireFolder(await at('/target'))
      await placeEntry({ files, actor: actorOf(ctx), conflict, carrier, signal: ctx.signal }, source, folder)
    })()
    done.catch(() => undefined)
    return { begun: begun.promise, done, finish: () => gate.resolve(), fail: () => gate.reject(new Error('cut off')) }
  }
  const refused = (code: string) => expect.objectContaining({ code }) as Error

  it('keeps its name from every other one that differs in case only', async () => {
    const first = copy('/one/Report.pdf')
    expect(await first.begun).toBe('Report.pdf')
    await expect(copy('/two/report.pdf').done).rejects.toThrow(refused('NAME_CASE_CLASH'))
    await expect(copy('/two/report.pdf', 'replace').done).rejects.toThrow(refused('NAME_CASE_CLASH'))
    await expect(copy('/two/Report.pdf').done).rejects.toThrow(refused('PATH_EXISTS'))
    await copy('/two/report.pdf', 'skip').done
    await expect(makeFolder(files, ctx, { ...PLACE, folder: '/target', name: 'REPORT.PDF' })).rejects.toThrow(
      refused('NAME_CASE_CLASH'),
    )
    fs.writeFileSync(home('target/other'), '')
    await expect(
      rename(files, ctx, { ...PLACE, path: '/target', oldName: 'other', newName: 'rePort.pdf' }),
    ).rejects.toThrow(refused('NAME_CASE_CLASH'))
    first.finish()
    await first.done
    expect(fs.readdirSync(home('target')).toSorted()).toEqual(['Report.pdf', 'other'])
  })

  it('two that keep both never choose the same name', async () => {
    const copies = ['/one/Report.pdf', '/two/report.pdf', '/two/Report.pdf'].map((from) => copy(from, 'keep-both'))
    const names = await Promise.all(copies.map(({ begun }) => begun))
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3)
    for (const { finish } of copies) finish()
    await Promise.all(copies.map(({ done }) => done))
    expect(fs.readdirSync(home('target')).toSorted()).toEqual(names.toSorted())
  })

  it('gives its name back when it fails', async () => {
    const first = copy('/one/Report.pdf')
    await first.begun
    first.fail()
    await expect(first.done).rejects.toThrow('')
    const second = copy('/two/report.pdf')
    second.finish()
    await second.done
    expect(fs.readdirSync(home('target'))).toEqual(['report.pdf'])
  })
})
