/** Apart from the schemas, which a page does not load. */

/** Events that a webhook may be sent, by area. */
export const HOOK_EVENTS = [
  'file.committed',
  'file.replaced',
  'folder.made',
  'file.renamed',
  'file.moved',
  'file.copied',
  'file.deleted',
  'file.restored',
  'file.downloaded',
  'file.previewed',
  'version.removed',
  'link.changed',
  'link.used',
  'group.member-added',
  'account.files-settled',
  'job.failed',
] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** waiting: for its first or next try. failed: given up after a day, and can be sent again. */
export const HOOK_DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const
export type HookDeliveryState = (typeof HOOK_DELIVERY_STATES)[number]

/** What is called: an address, or a program of the server's folder for them. */
export const HOOK_KINDS = ['webhook', 'program'] as const
export type HookKind = (typeof HOOK_KINDS)[number]

/**
 * Why a try failed: `status` is an answer other than 2xx, `error` a connection that broke. Of programs: `exit` is a code other
 * than 0, `output` more of it than there may be, `missing` a file that is no program of the folder any more.
 */
export const HOOK_REASONS = [
  'unknown-host',
  'not-allowed',
  'timeout',
  'refused',
  'certificate',
  'status',
  'error',
  'exit',
  'output',
  'missing',
] as const
export type HookReason = (typeof HOOK_REASONS)[number]

export const HOOK_LIMITS = {
  hooksMax: 50,
  nameMax: 64,
  urlMax: 1024,
  /** Characters of the arguments of a program. */
  commandLineMax: 1000,
  /** Seconds that a program may take. */
  waitSecondsMax: 3600,
  /** Days without a success after which a hook is switched off. */
  disableAfterDays: 5,
} as const
