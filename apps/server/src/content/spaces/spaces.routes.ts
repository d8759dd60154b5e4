import { authRoutes, wirePermission, type GroupEntry, type SpaceInfo, type UserInfo } from '@godwit/contract'
import type { Settings } from '../../foundation/settings/index.ts'
import { preferencesStore, usersStore, type PreferencesRow, type UserRow } from '../../identity/users/index.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Db } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { chooseSpace, ownSpacesOf, requireMember, spacesOf } from './spaces.service.ts'
import { accountOf, personalPermission } from '../../identity/principals/index.ts'
import { transferRulesOf, type TransferRules } from './member-rules.ts'

export interface SpacesEndpointsDeps {
  readonly db: Db
  /** Bytes kept and arrived, and the limit, of an account. */
  readonly usageOf: (userId: string) => Promise<{ readonly usedBytes: number; readonly quotaBytes: number }>
  /** Address of the account's own mail sender; '' without one. */
  readonly ownAddress: (userId: string) => Promise<string>
  readonly settings: Settings
  /** What pages seal their uploads for; '' when they need not. */
  readonly sealingKey: () => Promise<string>
  /** Groups of a space, with the rules inside each. */
  readonly groupsOf: (reader: {
    readonly userId: string
    readonly spaceId: number
    readonly cap: number | undefined
  }) => Promise<GroupEntry[]>
}

export function spacesEndpoints(deps: SpacesEndpointsDeps): Endpoint[] {
  const { db, usageOf, ownAddress, settings, groupsOf, sealingKey } = deps
  return [
    endpoint(authRoutes.spaces, async ({ principal }) => ({ result: (await spacesOf(db, principal.id)).spaces })),
    endpoint(authRoutes.chooseSpace, async ({ principal }, { body }) => {
      await chooseSpace(db, principal.id, body.spaceId)
      return { currentSpaceId: body.spaceId }
    }),
    endpoint(authRoutes.info, async ({ principal }, { query }) => {
      if (query.spaceId !== undefined) requireMember(accountOf(principal), query.spaceId)
      const user = await usersStore.byId(db, principal.id)
      if (!user) throw new AppError('TOKEN_INVALID')
      const spaces = await ownSpacesOf({ db, settings }, user.id)
      const spaceId = query.spaceId ?? spaces.currentSpaceId
      return {
        user: presentUser(user, {
          ...spaces,
          principal,
          webEncryptedKey: await sealingKey(),
          usage: await usageOf(user.id),
          preferences: await preferencesStore.of(db, user.id),
          emailAccount: await ownAddress(user.id),
          rules: await transferRulesOf({ db, settings }, { spaceId, userId: user.id }),
          permission: personalPermission(accountOf(principal), spaceId),
          groups: await groupsOf({ userId: user.id, spaceId, cap: accountOf(principal).cap }),
        }),
      }
    }),
  ]
}

interface UserFacts {
  /** An API token may do less than its account. */
  readonly principal: AccountPrincipal
  readonly webEncryptedKey: string
  readonly usage: { readonly usedBytes: number; readonly quotaBytes: number }
  readonly spaces: SpaceInfo[]
  readonly currentSpaceId: number
  readonly defaultSpaceId: number
  readonly preferences: PreferencesRow
  readonly emailAccount: string
  readonly rules: TransferRules
  /** In the personal files of the space that is asked for. */
  readonly permission: number
  readonly groups: GroupEntry[]
}

function presentUser(
  user: UserRow,
  {
    principal,
    webEncryptedKey,
    usage,
    spaces,
    currentSpaceId,
    defaultSpaceId,
    preferences,
    emailAccount,
    rules,
    permission,
    groups,
  }: UserFacts,
): UserInfo {
  return {
    id: user.id,
    account: user.account,
    name: user.name,
    email: user.email,
    accountType: user.account_type,
    isAdmin: accountOf(principal).isAdmin,
    permission: wirePermission(permission),
    webEncryptedKey,
    emailSenderType: preferences.email_sender_type,
    emailAccount,
    noticeMailSwitch: preferences.notice_mail,
    ...usage,
    ...rules,
    groupList: groups,
    spaceInfo: spaces,
    currentSpaceId,
    defaultSpaceId,
  }
}
