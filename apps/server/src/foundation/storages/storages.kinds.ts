import path from 'node:path'
import { MiB, type Clock, type Random } from '@godwit/base'
import { STORAGE_SLICE_MB, type StorageKind } from '@godwit/contract'
import {
  LOCAL_CAPABILITIES,
  openLocalStore,
  openS3Store,
  s3Capabilities,
  type Capabilities,
  type ObjectStore,
} from '@godwit/storage'
import { z } from 'zod'
import { probeFolder } from '../installation/index.ts'

/** What every kind is given to open a store. */
export interface KindDeps {
  /** The data folder. */
  readonly data: string
  /** Bytes of a disk that uploads leave free. */
  readonly reserveBytes: number
  /** Whether this process owns the storages: it finishes what a crash left half done. */
  readonly isOwner: boolean
  readonly clock: Clock
  readonly random: Random
}

export interface OpenRequest {
  readonly settings: unknown
  readonly secret: string
  /** Whether the storage may be made where it is missing. */
  readonly create: boolean
}

/** One kind of storage: what it can do, how it is opened, what can be said of it without touching files. */
interface Kind {
  readonly settings: z.ZodType
  readonly needsSecret: boolean
  /** Connections are closed while nobody uses it. */
  readonly closesWhenIdle: boolean
  capabilities(settings: unknown): Capabilities
  open(deps: KindDeps, request: OpenRequest): Promise<ObjectStore>
  /** Where it is, for an operator. */
  describe(deps: Pick<KindDeps, 'data'>, settings: unknown): string
  /** @throws StorageError when it cannot be written to */
  probe(deps: KindDeps, settings: unknown): Promise<void>
}

const LocalSettings = z.strictObject({
  /** Absolute, or relative to the data folder. */
  folder: z.string().min(1),
})

const S3Settings = z.strictObject({
  /** '' for AWS itself. */
  endpoint: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  region: z.string().min(1).default('us-east-1'),
  bucket: z.string().min(1),
  prefix: z
    .string()
    .regex(/^(?:[^/]+(?:\/[^/]+)*)?$/, 'must not begin or end with a slash')
    .default(''),
  accessKeyId: z.string().min(1),
  pathStyle: z.boolean().default(false),
  conditionalWrites: z.boolean().default(true),
  /** Bytes of a part in MiB; left out, uploads choose it. */
  sliceMb: z.int().min(STORAGE_SLICE_MB.min).max(STORAGE_SLICE_MB.max).optional(),
})

/** OSS answers at the bucket's own host name only, and ignores If-None-Match on writes. */
const OssSettings = S3Settings.extend({
  endpoint: z.url({ protocol: /^https?$/ }),
  pathStyle: z.literal(false).default(false),
  conditionalWrites: z.literal(false).default(false),
})

const local: Kind = {
  settings: LocalSettings,
  needsSecret: false,
  closesWhenIdle: false,
  capabilities: () => LOCAL_CAPABILITIES,
  open: ({ clock, random, reserveBytes, isOwner, data }, { settings, create }) =>
    openLocalStore({ root: localRoot(data, settings), clock, random, reserveBytes, create, recover: isOwner }),
  describe: ({ data }, settings) => localRoot(data, settings),
  probe: ({ data }, settings) => probeFolder(localRoot(data, settings)),
}

const s3: Kind = {
  settings: S3Settings,
  needsSecret: true,
  closesWhenIdle: true,
  capabilities: (settings) => s3Capabilities(S3Settings.parse(settings)),
  open({ random }, { settings, secret }) {
    const { endpoint, sliceMb, ...place } = S3Settings.parse(settings)
    const at = endpoint === '' ? place : { ...place, endpoint }
    const slices = sliceMb === undefined ? {} : { partBytes: sliceMb * MiB }
    return openS3Store({ ...at, ...slices, secretAccessKey: secret, random })
  },
  describe(_deps, settings) {
    const { endpoint, bucket, prefix } = S3Settings.parse(settings)
    return [endpoint || 's3:/', bucket, ...(prefix === '' ? [] : [prefix])].join('/')
  },
  probe: () => Promise.resolve(),
}

const oss: Kind = { ...s3, settings: OssSettings }

const KINDS: Readonly<Record<StorageKind, Kind>> = { local, s3, 's3-compatible': s3, oss }

/** @throws Error for a row that a newer program wrote */
export function kindOf(name: string): Kind {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name as StorageKind] : undefined
  if (kind === undefined) throw new Error(`there is no kind of storage called ${name}`)
  return kind
}

export function localRoot(data: string, settings: unknown): string {
  return path.resolve(data, LocalSettings.parse(settings).folder)
}

/** Where a bucket's objects begin; storages whose beginnings contain each other would reach the same objects. */
export function bucketRoot(settings: unknown): { readonly bucket: string; readonly prefix: string } {
  const { endpoint, bucket, prefix } = S3Settings.parse(settings)
  return {
    bucket: `${endpoint.replace(/\/+$/, '').toLowerCase()} ${bucket}`,
    prefix: prefix === '' ? '' : `${prefix}/`,
  }
}
