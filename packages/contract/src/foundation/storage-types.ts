/** Kinds of storage. */
export const STORAGE_TYPES = ['local', 'oss', 's3', 's3-compatible', 'azure', 'gcs'] as const
export type StorageType = (typeof STORAGE_TYPES)[number]

/** Kinds that this server opens. */
export const STORAGE_KINDS = [
  'local',
  's3',
  's3-compatible',
  'oss',
  'azure',
  'gcs',
] as const satisfies readonly StorageType[]
export type StorageKind = (typeof STORAGE_KINDS)[number]

/** What the age of a file counts from when a storage is cleaned: its last change, or the last time that anybody opened it. */
export const CLEANING_BASES = ['modified', 'access'] as const
export type CleaningBasis = (typeof CLEANING_BASES)[number]

/** Days after which files are moved into the recycle bin: 7 days, 1, 3, 6 and 12 months. */
export const CLEANING_DAYS = [7, 30, 90, 180, 365] as const

/** States of server and client nodes. */
export const SERVER_STATES = ['running', 'paused', 'shuttingDown', 'restarting', 'starting', 'error'] as const
export const CLIENT_NODE_STATES = ['normal', 'offline'] as const
export const NODE_TRANSFER_STATES = ['running', 'stopped'] as const

/** What a probe of a storage proves, in this order. */
export const STORAGE_PROBE_STEPS = ['list', 'write', 'read', 'multipart', 'delete'] as const
export type StorageProbeStep = (typeof STORAGE_PROBE_STEPS)[number]

/** MiB of a part. A whole part is in memory while it is sent. */
export const STORAGE_SLICE_MB = { min: 5, max: 64 } as const
