import type { LinkChange } from '@godwit/contract'
import type { MailSystem } from '../../foundation/mail/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { FilesDeps } from '../../content/files/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'

/** What the use cases of links are given. */
export interface LinksDeps extends Pick<
  Kernel,
  'db' | 'dialect' | 'clock' | 'random' | 'ids' | 'bus' | 'outbox' | 'vault' | 'limits' | 'log'
> {
  readonly files: FilesDeps
  readonly settings: Settings
  readonly mail: MailSystem
  /** Address of this installation; '' while the operator has not said it. */
  readonly publicUrl: string
}

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** A link lets nobody in any more, or on other terms: what its guests do is looked at again. */
    readonly 'link.changed': { readonly linkId: string }
  }
}

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    readonly 'link.changed': {
      readonly linkId: string
      readonly userId: string
      readonly urlType: number
      readonly change: LinkChange
      /** '' for the server's own schedule. */
      readonly by: string
      /** Unix milliseconds. */
      readonly at: number
    }
    /** A guest took or brought something. */
    readonly 'link.used': {
      readonly linkId: string
      readonly userId: string
      readonly visitId: string
      readonly kind: 'download' | 'upload'
      readonly address: string
      readonly fileCount: number
      readonly bytes: number
      readonly at: number
    }
  }
}
