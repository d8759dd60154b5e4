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
  /** Folders of it may be kept in sync with folders of a computer. */
  readonly canSync: boolean
}

export function useLibrary(): Library {
  const { place, group } = useFilesServices()
  const { user } = useAccount()
  const texts = useTexts()
  if (group === undefined) {
    return {
      ...{ rootName: texts('files.root'), address: '/personal', permission: user.permission, isGroup: false },
      canSync: user.transSyncSwitch === 1,
    }
  }
  return {
    ...{ rootName: group.groupName, address: `/group/detail/${place.groupId}`, isGroup: true },
    permission: group.userGroupPermission,
    canSync: group.transSyncSwitch === 1,
  }
}
