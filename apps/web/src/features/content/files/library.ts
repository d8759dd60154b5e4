import { useAccount } from '../../identity/auth/index.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useFilesServices } from './files-services.tsx'

/** The files that a page shows: one's own, or those of a group. */
export interface Library {
  /** What its root is called. */
  readonly rootName: string
  /** Address of its root. */
  readonly address: string
  /** Permission bits in it: those of the membership replace those of the account. */
  readonly permission: number
  readonly isGroup: boolean
}

export function useLibrary(): Library {
  const { place, group } = useFilesServices()
  const { user } = useAccount()
  const texts = useTexts()
  if (group === undefined) {
    return { rootName: texts('files.root'), address: '/personal', permission: user.permission, isGroup: false }
  }
  const address = `/group/detail/${place.groupId}`
  return { rootName: group.groupName, address, permission: group.userGroupPermission, isGroup: true }
}
