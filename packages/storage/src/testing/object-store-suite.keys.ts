import { describe, expect, it } from 'vitest'
import type { Upload } from '../object-store.ts'
import { someBytes } from './sources.ts'
import { rejectsWith, type StoreSite } from './store-site.ts'

/** Keys, names and upload ids that a store keeps as they are, or refuses. */
export function keyCases(site: StoreSite): void {
  const { at, put, finish, contentOf, namesIn } = site

  describe('keys', () => {
    const HOSTILE = [
      '..',
      '../x',
      'a/../b',
      '/etc/passwd',
      'a//b',
      'a/',
      './a',
      'a\0b',
      'lone\uD800',
      '\uDC00',
      '.godwit',
      '.GodWit/parts',
      'a/.godwit/x',
      'x'.repeat(256),
      '字'.repeat(86),
      'd/'.repeat(2000) + 'f',
    ]

    it.each(HOSTILE)('refuses %j everywhere', async (key) => {
      const upload = { id: '0'.repeat(32), key, size: 1, partSize: 1, provider: {} }
      await rejectsWith('invalid-key', site.store.stat(key))
      await rejectsWith('invalid-key', namesIn(key))
      await rejectsWith('invalid-key', site.store.openRead(key))
      await rejectsWith('invalid-key', site.store.createFolder(key))
      await rejectsWith('invalid-key', site.store.ensureFolder(key))
      await rejectsWith('invalid-key', site.store.move(key, at('x'), { conflict: 'fail' }))
      await rejectsWith('invalid-key', site.store.move(site.folder, key, { conflict: 'fail' }))
      await rejectsWith('invalid-key', site.store.copy(site.folder, key, { conflict: 'fail' }))
      await rejectsWith('invalid-key', site.store.remove(key))
      await rejectsWith('invalid-key', site.store.createUpload({ key, size: 1 }))
      await rejectsWith('invalid-key', site.store.completeUpload(upload, { size: 1, conflict: 'fail' }))
    })

    it.each([
      'é-nfc',
      'e\u0301-nfd',
      '字'.repeat(85),
      '\u202Egpj.exe',
      '👩‍👩‍👧',
      '-rf',
      '$(x)`;',
      'quote\'"',
      ' lead',
      'trail ',
      'dot.',
      'a\tb\nc',
      '__proto__',
      'constructor',
      '=cmd|',
      '%2e%2e%2f',
      '\uFFFD',
      'CON',
      'a:b',
      'x*?<>|',
      '\uFEFF',
    ])('keeps the name %j to the byte, or refuses it', async (name) => {
      try {
        await put(at(name), someBytes(3))
      } catch (error) {
        expect(error).toMatchObject({ reason: 'invalid-key' })
        return
      }
      expect(await namesIn(site.folder)).toEqual([name])
      expect(await contentOf(at(name))).toEqual(someBytes(3))
      await site.store.remove(at(name))
      expect(await namesIn(site.folder)).toEqual([])
    })

    it.each(['..', '../../x', '0'.repeat(31), 'g'.repeat(32), '0'.repeat(32) + '/x', ''])(
      'knows no upload with the id %j',
      async (id) => {
        const upload: Upload = { ...(await site.store.createUpload({ key: at('file'), size: 1 })), id }
        await rejectsWith('upload-gone', finish(upload, someBytes(1)))
      },
    )
  })
}
