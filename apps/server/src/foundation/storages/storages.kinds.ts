import path from 'node:path'
import { MiB, type Clock, type Random } from '@godwit/base'
import { STORAGE_SLICE_MB, type StorageKind } from '@godwit/contract'
import {
  AZURE_CAPABILITIES,
  GCS_CAPABILITIES,
  LOCAL_CAPABILITIES,
  openAzureStore,
  openGcsStore,
  openLocalStore,
  openS3Store,
  parseConnection,
  parseCredentials,
  s3Capabilities,
  type Capabilities,
  StorageError,
  type ObjectStore,
} from '@godwit/storage'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
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

/** What somebody gave to open a storage with. */
export interface GivenStorage {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secret: string
}

/** One kind of storage: what it can do, how it is opened, what can be said of it without touching files. */
interface Kind {
  readonly settings: z.ZodType
  readonly needsSecret: boolean
  /** Connections are closed while nobody uses it. */
  readonly closesWhenIdle: boolean
  capabilities(settings: unknown): Capabilities
  /** What a secret says besides being one, put where it belongs. @throws AppError PARAMETER_INVALID for what is no secret of this kind */
  prepare?(given: GivenStorage): GivenStorage
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

const prefix = S3Settings.shape.prefix
const sliceMb = S3Settings.shape.sliceMb

const AzureSettings = z.strictObject({
  /** Of the account, without the container. */
  endpoint: z.url({ protocol: /^https?$/ }),
  /** The container. */
  bucket: z.string().regex(/^[a-z0-9](?:-?[a-z0-9]){2,62}$/, 'is no name of a container'),
  prefix,
  /** The account. */
  accessKeyId: z.string().min(1),
  sliceMb,
})

const GcsSettings = z.strictObject({
  /** '' for Google itself. */
  endpoint: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  bucket: z.string().min(3),
  prefix,
  /** E-mail address of the service account. */
  accessKeyId: z.string().min(1),
  sliceMb,
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

const azure: Kind = {
  settings: AzureSettings,
  needsSecret: true,
  closesWhenIdle: true,
  capabilities: () => AZURE_CAPABILITIES,
  /** The portal hands out a connection string, which names account and address as well; a key alone will do, too. */
  prepare({ settings, secret }) {
    const found = parseConnection(secret)
    if (found !== undefined) {
      const { endpoint, account, accountKey } = found
      return { settings: { ...settings, endpoint, accessKeyId: account }, secret: accountKey }
    }
    const isKey = /^[A-Za-z0-9+/]{20,}={0,2}$/.test(secret)
    if (secret === '' || (isKey && settings['accessKeyId'] !== undefined)) return { settings, secret }
    throw new AppError('PARAMETER_INVALID', {
      field: 'secret',
      rule: 'is a connection string with AccountName and AccountKey',
    })
  },
  open({ random, clock }, { settings, secret }) {
    const {
      endpoint,
      bucket: container,
      prefix: below,
      accessKeyId: account,
      sliceMb: slice,
    } = AzureSettings.parse(settings)
    const place = { endpoint: endpoint.replace(/\/+$/, ''), container, prefix: below, account, accountKey: secret }
    return Promise.resolve(openAzureStore({ ...place, ...partsOf(slice), random, clock }))
  },
  describe: (_deps, settings) => describeBucket(AzureSettings.parse(settings)),
  probe: () => Promise.resolve(),
}

const gcs: Kind = {
  settings: GcsSettings,
  needsSecret: true,
  closesWhenIdle: true,
  capabilities: () => GCS_CAPABILITIES,
  /** The file of credentials names its account. */
  prepare({ settings, secret }) {
    if (secret === '') return { settings, secret }
    const found = parseCredentials(secret)
    if (found !== undefined) return { settings: { ...settings, accessKeyId: found.clientEmail }, secret }
    throw new AppError('PARAMETER_INVALID', { field: 'secret', rule: 'is the JSON file of a service account' })
  },
  open({ random, clock }, { settings, secret }) {
    const { endpoint, bucket, prefix: below, sliceMb: slice } = GcsSettings.parse(settings)
    const credentials = parseCredentials(secret)
    if (credentials === undefined) throw new StorageError('permission')
    return Promise.resolve(
      openGcsStore({ endpoint, bucket, prefix: below, credentials, ...partsOf(slice), random, clock }),
    )
  },
  describe(_deps, settings) {
    const { endpoint, ...place } = GcsSettings.parse(settings)
    return describeBucket({ endpoint: endpoint || 'gs:/', ...place })
  },
  probe: () => Promise.resolve(),
}

function partsOf(slice: number | undefined): { readonly partBytes?: number } {
  return slice === undefined ? {} : { partBytes: slice * MiB }
}

function describeBucket(place: {
  readonly endpoint: string
  readonly bucket: string
  readonly prefix: string
}): string {
  return [place.endpoint.replace(/\/+$/, ''), place.bucket, ...(place.prefix === '' ? [] : [place.prefix])].join('/')
}

const KINDS: Readonly<Record<StorageKind, Kind>> = { local, s3, 's3-compatible': s3, oss, azure, gcs }

/** What was given, with what the secret says put where it belongs. @throws AppError PARAMETER_INVALID */
export function prepared(kind: string, given: GivenStorage): GivenStorage {
  return kindOf(kind).prepare?.(given) ?? given
}

/** @throws Error for a row that a newer program wrote */
export function kindOf(name: string): Kind {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name as StorageKind] : undefined
  if (kind === undefined) throw new Error(`there is no kind of storage called ${name}`)
  return kind
}

export function localRoot(data: string, settings: unknown): string {
  return path.resolve(data, LocalSettings.parse(settings).folder)
}

const BucketSettings = z.object({
  endpoint: z.string().default(''),
  bucket: z.string(),
  prefix: z.string().default(''),
})

/** Where a bucket's objects begin; storages whose beginnings contain each other would reach the same objects. */
export function bucketRoot(settings: unknown): { readonly bucket: string; readonly prefix: string } {
  const { endpoint, bucket, prefix } = BucketSettings.parse(settings)
  return {
    bucket: `${endpoint.replace(/\/+$/, '').toLowerCase()} ${bucket}`,
    prefix: prefix === '' ? '' : `${prefix}/`,
  }
}
