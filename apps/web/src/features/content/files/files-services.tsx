import type { GroupEntry } from '@godwit/contract'
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

/** What the file screens work with: the operations, the socket that reports changes, and where paths count from. */
export interface FilesServices {
  readonly operate: FileOperations
  readonly socket: FileSocket
  readonly messages: Messages
  readonly place: Place
  readonly makeLink: (target: LinkTarget) => void
  /** Shows the links on an entry; the layer above knows them. */
  readonly LinksOn: ComponentType<{ readonly place: Place; readonly path: string }>
  /** The group whose files they are; left out for one's own. */
  readonly group?: Pick<GroupEntry, 'groupName' | 'userGroupPermission'>
}

const FilesContext = createContext<FilesServices | undefined>(undefined)

export const FilesServicesProvider = FilesContext

export function useFilesServices(): FilesServices {
  const services = use(FilesContext)
  if (services === undefined) throw new Error('no file services around this component')
  return services
}
