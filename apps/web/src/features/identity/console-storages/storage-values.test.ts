import { describe, expect, it } from 'vitest'
import { NEW_STORAGE, newStorageOf, settingsOf, storageChangeOf, type StorageValues } from './storage-values.ts'

const BUCKET: StorageValues = {
  ...NEW_STORAGE,
  kind: 's3-compatible',
  name: ' Files ',
  endpoint: ' https://s3.example.org ',
  region: 'eu-1',
  bucket: 'files',
  prefix: '/a/b/',
  accessKeyId: 'AKIA',
  secret: ' typed ',
  pathStyle: 'on',
}

describe('the values of a storage', () => {
  it('become what their kind takes, and nothing else', () => {
    expect(newStorageOf(BUCKET)).toEqual({
      name: 'Files',
      kind: 's3-compatible',
      settings: {
        ...{ endpoint: 'https://s3.example.org', region: 'eu-1', bucket: 'files', prefix: 'a/b', accessKeyId: 'AKIA' },
        ...{ pathStyle: true, conditionalWrites: true },
      },
      // A secret may begin or end with a space.
      secret: ' typed ',
      isDefault: false,
    })
    expect(settingsOf({ ...BUCKET, kind: 's3', slice: '16' })).toEqual({
      ...{ region: 'eu-1', bucket: 'files', prefix: 'a/b', accessKeyId: 'AKIA', sliceMb: 16 },
    })
    expect(Object.keys(settingsOf({ ...BUCKET, kind: 'oss' }))).not.toContain('pathStyle')
    expect(newStorageOf({ ...BUCKET, kind: 'local', folder: '/mnt/a' })).toEqual({
      ...{ name: 'Files', kind: 'local', settings: { folder: '/mnt/a' }, isDefault: false },
    })
  })

  it('send only what was changed, and a secret only when it was typed', () => {
    const base = { ...BUCKET, secret: '' }
    expect(storageChangeOf(base, base, 3)).toEqual({ revision: 3 })
    expect(storageChangeOf({ ...base, name: 'Archive', isDefault: 'on' }, base, 3)).toEqual({
      ...{ revision: 3, name: 'Archive', isDefault: true },
    })
    const moved = storageChangeOf({ ...BUCKET, bucket: 'other' }, base, 3)
    expect(moved).toEqual({ revision: 3, secret: ' typed ', settings: { ...settingsOf(base), bucket: 'other' } })
  })
})
