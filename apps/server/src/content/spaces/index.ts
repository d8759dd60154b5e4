import { authRoutes, EMAIL_SENDER, LIMITS, wirePermission, type SpaceInfo, type UserInfo } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Db } from '../../kernel/db/index.ts'
import { usersStore, type UserRow } from '../../identity/users/index.ts'

export interface SpacesDeps {
  readonly db: Db
  /** Bytes kept and reserved, and the limit, of an account. */
  readonly usageOf: (userId: string) => Promise<{ readonly usedBytes: number; readonly quotaBytes: number }>
}

/** Known by id and flag, never by its name, which the page translates. */
const DEFAULT_SPACE: SpaceInfo = { id: LIMITS.defaultSpaceId, spaceName: 'Default', isDefault: true }

export function spacesEndpoints(deps: SpacesDeps): Endpoint[] {
  return [
    endpoint(authRoutes.spaces, () => Promise.resolve({ result: [DEFAULT_SPACE] })),
    endpoint(authRoutes.info, async (ctx, { query }) => {
      if (query.spaceId !== undefined && query.spaceId !== DEFAULT_SPACE.id) throw new AppError('NO_SPACE')
      const user = await usersStore.byId(deps.db, ctx.actor.userId)
      if (!user) throw new AppError('TOKEN_INVALID')
      return { user: presentUser(user, await deps.usageOf(user.id)) }
    }),
  ]
}

const NO_TRANSFER_RULES = {
  forbidClientFilterSwitch: 0,
  transIgnoreRegSwitch: 0,
  transIgnoreReg: '',
  transIgnoreSizeSwitch: 0,
  transIgnoreSize: 0,
  transSyncSwitch: 0,
  transSyncTriggeringCondition: 0,
} as const

function presentUser(user: UserRow, usage: { usedBytes: number; quotaBytes: number }): UserInfo {
  return {
    id: user.id,
    account: user.account,
    name: user.name,
    email: user.email,
    accountType: user.account_type,
    isAdmin: user.is_admin === 1,
    permission: wirePermission(user.permission),
    webEncryptedKey: '',
    emailSenderType: EMAIL_SENDER.own,
    emailAccount: '',
    noticeMailSwitch: 0,
    ...usage,
    ...NO_TRANSFER_RULES,
    groupList: [],
    spaceInfo: [DEFAULT_SPACE],
    currentSpaceId: DEFAULT_SPACE.id,
  }
}
