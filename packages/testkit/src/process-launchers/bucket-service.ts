import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { launchAzurite } from './azurite.launcher.ts'
import { run } from './program.ts'
import { launchRadosgw } from './radosgw.launcher.ts'

const GODWIT = resolve(import.meta.dirname, '../../../../apps/server/bin/godwit.js')
const BUCKET = 'godwit'

/** An object storage with an empty bucket, for a server of the test and for rclone, which reaches the same bucket without it. */
export interface BucketService {
  readonly name: string
  /** Makes the bucket the only storage of an installation that was never started. */
  adopt(data: string): Promise<void>
  /** Arguments of an rclone that reaches the bucket by this path. */
  rclone(...words: readonly string[]): readonly [string, ...string[]]
  pathOf(name: string): string
  stop(): Promise<void>
}

interface Service {
  readonly name: string
  /** Options of `godwit storage add`, without name and secret. */
  readonly storage: readonly string[]
  readonly secret: string
  /** The remote in a configuration of rclone. */
  readonly remote: readonly string[]
  stop(): Promise<void>
}

/** @param storeBytes room of the S3 service, in memory */
export async function launchBucketService(kind: 's3' | 'azure', storeBytes?: number): Promise<BucketService> {
  const service = kind === 's3' ? await s3(storeBytes) : await azure()
  const folder = await mkdtemp(join(tmpdir(), 'godwit-bucket-'))
  const config = join(folder, 'rclone.conf')
  const secret = join(folder, 'secret')
  await writeFile(config, ['[bucket]', ...service.remote, ''].join('\n'))
  await writeFile(secret, `${service.secret}\n`)
  // It cannot use a bundle of certificates that is meant for the tools of AWS.
  const rclone = (...words: readonly string[]) =>
    ['env', '-u', 'AWS_CA_BUNDLE', 'rclone', '--config', config, ...words] as const
  await run(rclone('mkdir', `bucket:${BUCKET}`))
  return {
    name: service.name,
    rclone,
    pathOf: (name) => `bucket:${BUCKET}/${name}`,
    async adopt(data) {
      const godwit = (...words: readonly string[]) =>
        run([process.execPath, GODWIT, ...words], { env: { GODWIT_DATA: data } })
      const place = ['--name', 'Bucket', '--bucket', BUCKET, '--prefix', 'files', '--secret-file', secret, '--default']
      await godwit('storage', 'add', ...place, ...service.storage)
      await godwit('storage', 'remove', '1')
    },
    async stop() {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function s3(storeBytes?: number): Promise<Service> {
  const { endpoint, accessKeyId, secretAccessKey, stop } = await launchRadosgw(storeBytes)
  const storage = ['--kind', 's3-compatible', '--endpoint', endpoint, '--path-style', '--no-conditional-writes']
  const remote = [
    ...['type = s3', 'provider = Ceph', `endpoint = ${endpoint}`],
    ...[`access_key_id = ${accessKeyId}`, `secret_access_key = ${secretAccessKey}`],
  ]
  return { name: 'S3', storage: [...storage, '--access-key', accessKeyId], secret: secretAccessKey, remote, stop }
}

async function azure(): Promise<Service> {
  const { endpoint, account, accountKey, stop } = await launchAzurite()
  const secret = `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${accountKey};BlobEndpoint=${endpoint};`
  const remote = ['type = azureblob', `sas_url = ${endpoint}?${accountSignature(account, accountKey)}`]
  return { name: 'Azure Blob (Azurite)', storage: ['--kind', 'azure'], secret, remote, stop }
}

/** Lets whoever has it do everything with the blobs of the account for a day: rclone signs requests for Azure itself alone. */
function accountSignature(account: string, key: string): string {
  const expiry = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`
  const terms = { sp: 'rwdlac', ss: 'b', srt: 'sco', st: '', se: expiry, sip: '', spr: 'https,http', sv: '2019-12-12' }
  const signed = [account, ...Object.values(terms), ''].join('\n')
  const sig = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64')
  const given = Object.entries(terms).filter(([, value]) => value !== '')
  return new URLSearchParams([...given, ['sig', sig]]).toString()
}
