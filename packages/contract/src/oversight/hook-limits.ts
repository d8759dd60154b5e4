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

/** Why a try failed: `status` is an answer other than 2xx, `error` a connection that broke. */
export const HOOK_REASONS = [
  'unknown-host',
  'not-allowed',
  'timeout',
  'refused',
  'certificate',
  'status',
  'error',
] as const
export type HookReason = (typeof HOOK_REASONS)[number]

export const HOOK_LIMITS = {
  hooksMax: 50,
  nameMax: 64,
  urlMax: 1024,
  /** Days without a success after which a hook is switched off. */
  disableAfterDays: 5,
} as const
