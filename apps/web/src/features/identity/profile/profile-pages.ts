import { canChangePassword, EMAIL_SENDER } from '@godwit/contract/identity/account-types'
import type { AccountType, SiteInfo, UserInfo } from '@godwit/contract'
import { KeyRound, type LucideIcon, Mail, ShieldCheck, SquareTerminal, UserRound } from 'lucide-react'
import type { PortalKey } from '../../../lib/texts.tsx'

export const PROFILE_PAGES = ['info', 'password', 'email', 'security', 'tokens'] as const
export type ProfilePageName = (typeof PROFILE_PAGES)[number]

interface Viewer {
  readonly user: Pick<UserInfo, 'accountType' | 'emailSenderType'>
  readonly site: Pick<SiteInfo, 'userPwdSwitch'>
}

interface ProfileEntry {
  readonly label: PortalKey
  readonly icon: LucideIcon
  readonly isShown: (viewer: Viewer) => boolean
}

const always = (): boolean => true

/** The menu of the account pages, and the only place that decides who sees which of them. */
export const PROFILE_ENTRIES: Readonly<Record<ProfilePageName, ProfileEntry>> = {
  info: { label: 'profile.info', icon: UserRound, isShown: always },
  password: {
    label: 'profile.password',
    icon: KeyRound,
    isShown: ({ user, site }) => canChangePassword(user.accountType as AccountType, site.userPwdSwitch),
  },
  email: {
    label: 'profile.email',
    icon: Mail,
    isShown: ({ user }) => user.emailSenderType !== EMAIL_SENDER.system,
  },
  security: { label: 'profile.security', icon: ShieldCheck, isShown: always },
  tokens: { label: 'profile.tokens', icon: SquareTerminal, isShown: always },
}

export function shownPages(viewer: Viewer): readonly ProfilePageName[] {
  return PROFILE_PAGES.filter((page) => PROFILE_ENTRIES[page].isShown(viewer))
}
