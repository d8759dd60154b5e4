/** Kinds of storage. */
export const STORAGE_TYPES = ['local', 'oss', 's3', 's3-compatible', 'azure', 'gcs'] as const
export type StorageType = (typeof STORAGE_TYPES)[number]

/** What the age of a file counts from when a local storage cleans up. */
export const CLEAN_BY = ['lastAccess', 'lastModified'] as const

/** States of server and client nodes. */
export const SERVER_STATES = ['running', 'paused', 'shuttingDown', 'restarting', 'starting', 'error'] as const
export const CLIENT_NODE_STATES = ['normal', 'offline'] as const
export const NODE_TRANSFER_STATES = ['running', 'stopped'] as const
