import { errorByWire, STORAGE_PROBE_STEPS } from '@godwit/contract'
import { makeContainer, startGoogleService, type GoogleService } from '@godwit/storage/testing'
import { azureAccess, mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]

for (const { name, url } of DATABASES) {
  describe(`storages at Azure and Google on ${name}`, () => {
    let site: Site
    let google: GoogleService
    let admin = ''
    let connection = ''
    let container = ''

    beforeAll(async () => {
      const databaseUrl = await url()
      site = await openSite(databaseUrl === undefined ? {} : { databaseUrl })
      admin = (await site.signIn('admin')).token
      google = await startGoogleService()
      const azure = await azureAccess()
      container = await makeContainer(azure)
      connection = `DefaultEndpointsProtocol=http;AccountName=${azure.account};AccountKey=${azure.accountKey};BlobEndpoint=${azure.endpoint};`
    })
    afterAll(async () => {
      await google.close()
      await site[Symbol.asyncDispose]()
    })

    const send = async (method: string, below: string, json?: object) => {
      const asked = {
        method,
        path: `/api/admin/storages${below}`,
        token: admin,
        ...(json === undefined ? {} : { json }),
      }
      const { code, data, text } = await site.ask(asked)
      return { code, name: errorByWire(code ?? 0), data: data as Readonly<Record<string, unknown>>, text }
    }
    interface Shown {
      readonly id: number
      readonly revision: number
      readonly place: string
      readonly settings: Readonly<Record<string, unknown>>
    }
    const shown = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) => data['storage'] as Shown
    const steps = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) =>
      (data['steps'] as ReadonlyArray<{ readonly step: string }>).map(({ step }) => step)

    it('takes a container by its connection string, whose key it never shows again', async () => {
      const wanted = { kind: 'azure', settings: { bucket: container, prefix: 'files' }, secret: connection }
      const tried = await send('POST', '/try', wanted)
      expect(steps(tried)).toEqual(STORAGE_PROBE_STEPS)
      const added = await send('POST', '', { name: 'Azure', ...wanted })
      expect(added.code, added.text).toBe(200)
      const { id, revision, settings, place } = shown(added)
      expect(settings).toMatchObject({ bucket: container, prefix: 'files', accessKeyId: 'devstoreaccount1' })
      expect(place).toContain(`${container}/files`)
      const key = /AccountKey=([^;]+)/.exec(connection)?.[1] ?? ''
      expect((await send('GET', `/${id}`)).text).not.toContain(key)
      expect(steps(await send('POST', `/${id}/test`))).toEqual(STORAGE_PROBE_STEPS)
      const renamed = await send('PATCH', `/${id}`, { revision, name: 'Blobs', settings: { ...settings, sliceMb: 8 } })
      expect(renamed.code, renamed.text).toBe(200)
      expect(await send('POST', '', { name: 'Twice', ...wanted })).toMatchObject({ name: 'STORAGE_PATH_INVALID' })
    })

    it('says what is wrong with a container, its key or its name', async () => {
      const tried = (secret: string, bucket = container) =>
        send('POST', '/try', { kind: 'azure', settings: { bucket, prefix: 'other' }, secret })
      expect(await tried('nonsense')).toMatchObject({ name: 'PARAMETER_INVALID', data: { field: 'secret' } })
      expect(await tried('')).toMatchObject({ name: 'PARAMETER_INVALID' })
      const wrong = connection.replace(
        /AccountKey=[^;]+/,
        `AccountKey=${Buffer.from('another key').toString('base64')}`,
      )
      // Azurite calls a wrong key a missing right; the service itself says AuthenticationFailed.
      expect(await tried(wrong)).toMatchObject({ name: 'STORAGE_PERMISSION', data: { step: 'list' } })
      expect(await tried(connection, 'nowhere')).toMatchObject({ name: 'STORAGE_BUCKET_NOT_FOUND' })
      expect(await tried(connection, 'No Container')).toMatchObject({ name: 'PARAMETER_INVALID' })
      const away = connection.replace(/BlobEndpoint=[^;]+/, 'BlobEndpoint=http://127.0.0.1:9/devstoreaccount1')
      expect(await tried(away)).toMatchObject({ name: 'STORAGE_CONNECTION_FAILED' })
    })

    it('takes a bucket of Google by the key of a service account', async () => {
      const settings = { endpoint: google.endpoint, bucket: google.bucket, prefix: name }
      const added = await send('POST', '', { name: 'Google', kind: 'gcs', settings, secret: google.credentials })
      expect(added.code, added.text).toBe(200)
      expect(shown(added).settings).toMatchObject({ accessKeyId: 'godwit@tests.example' })
      expect(added.text).not.toContain('PRIVATE KEY')
      const tried = (change: object, secret = google.credentials) =>
        send('POST', '/try', { kind: 'gcs', settings: { ...settings, prefix: 'other', ...change }, secret })
      expect(await tried({ bucket: 'nowhere' })).toMatchObject({ name: 'STORAGE_BUCKET_NOT_FOUND' })
      expect(await tried({}, '{}')).toMatchObject({ name: 'PARAMETER_INVALID', data: { field: 'secret' } })
      const stranger = await startGoogleService()
      const foreign = stranger.credentials.replace(stranger.endpoint, google.endpoint)
      await stranger.close()
      expect(await tried({}, foreign)).toMatchObject({ name: 'STORAGE_CREDENTIALS_WRONG', data: { step: 'list' } })
    })
  })
}
