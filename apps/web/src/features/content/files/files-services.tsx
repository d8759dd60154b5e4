import type { ClientPick, GroupEntry, SyncDirection } from '@godwit/contract'
import { type ComponentType, createContext, use } from 'react'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { FileSocket, Place } from '../../../lib/file-socket.ts'
import type { Messages } from '../../../lib/messages.ts'

/** What a link is to be made of; the layer above knows how. */
export interface LinkTarget {
  readonly kind: 'share' | 'invite'
  readonly place: Place
  readonly folder: string
  /** Entries of the folder; none: the folder itself. */
  readonly names: readonly string[]
  readonly hasFolder: boolean
}

/** What the desktop client is to take over. */
export type HandOver =
  | {
      readonly kind: 'upload'
      readonly place: Place
      readonly folder: string
      /** What its dialog lets the person choose. */
      readonly pick: ClientPick
    }
  | { readonly kind: 'download'; readonly place: Place; readonly paths: readonly string[] }
  /** A folder of the client's computer that is to bring what is new to this one, or to follow it. */
  | { readonly kind: 'sync'; readonly direction: SyncDirection; readonly place: Place; readonly folder: string }
  | {
      /** A download of so many files that the person is asked which way they shall take. */
      readonly kind: 'suggest'
      readonly place: Place
      readonly paths: readonly string[]
      /** Undefined: so many that they were not counted. */
      readonly files: number | undefined
      readonly byBrowser: () => void
    }

/** What the file screens work with: the operations, the socket that reports changes, and where paths count from. */
export interface FilesServices {
  readonly operate: FileOperations
  readonly socket: FileSocket
  readonly messages: Messages
  readonly place: Place
  readonly makeLink: (target: LinkTarget) => void
  /** Shows the links on an entry; the layer above knows them. */
  readonly LinksOn: ComponentType<{ readonly place: Place; readonly path: string }>
  /** Lets the desktop client take a transfer; the layer above knows how. */
  readonly handOver: (order: HandOver) => void
  /** The group whose files they are; left out for one's own. */
  readonly group?: Pick<GroupEntry, 'groupName' | 'userGroupPermission' | 'transSyncSwitch'>
}

const FilesContext = createContext<FilesServices | undefined>(undefined)

export const FilesServicesProvider = FilesContext

export function useFilesServices(): FilesServices {
  const services = use(FilesContext)
  if (services === undefined) throw new Error('no file services around this component')
  return services
}
