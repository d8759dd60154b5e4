import type { LinkChange } from '@godwit/contract'
import type { MailSystem } from '../../foundation/mail/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { FilesDeps } from '../../content/files/index.ts'
import type { Sealing } from '../../content/sealed-bodies/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'

/** What the use cases of links are given. */
export interface LinksDeps extends Pick<
  Kernel,
  'db' | 'dialect' | 'clock' | 'random' | 'ids' | 'bus' | 'outbox' | 'vault' | 'limits' | 'log'
> {
  readonly files: FilesDeps
  readonly settings: Settings
  readonly mail: MailSystem
  readonly sealing: Pick<Sealing, 'keyForPages'>
  /** Address of this installation; '' while the operator has not said it. */
  readonly publicUrl: string
}

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** A link lets nobody in any more, or on other terms: what its guests do is looked at again. */
    readonly 'link.changed': { readonly linkId: string }
    /** An account has another list of links that others made for it. */
    readonly 'links.received': { readonly userId: string }
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
    /** Whom a link for people of the site names since then; groups stand for their members. */
    readonly 'link.shared': {
      readonly linkId: string
      readonly userId: string
      /** Of the owner. */
      readonly account: string
      /** What the link is called. */
      readonly name: string
      readonly userIds: readonly string[]
      readonly groupIds: readonly number[]
      /** Unix milliseconds. */
      readonly at: number
    }
    /** The owner of a link is reminded that it ends. */
    readonly 'link.expiring': {
      readonly linkId: string
      readonly userId: string
      readonly name: string
      /** Unix milliseconds. */
      readonly expiresAt: number
      readonly at: number
    }
    /** An owner reminds people of the site of a link that they have not opened. */
    readonly 'link.reminded': {
      readonly linkId: string
      readonly userId: string
      readonly account: string
      readonly name: string
      readonly userIds: readonly string[]
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
