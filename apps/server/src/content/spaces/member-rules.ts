import { canTransferByWeb } from '@godwit/contract'
import type { Settings } from '../../foundation/settings/index.ts'
import { membershipsStore } from '../../identity/memberships/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { ValuesOf } from '../../kernel/setting.ts'
import type { PlaceIds } from '../access/index.ts'
import { ACCOUNT_WAYS, TRANSFER_RULES } from './transfer-rules.settings.ts'

export interface MemberRulesDeps {
  readonly db: Db
  readonly settings: Pick<Settings, 'of'>
}

export interface Membership {
  readonly userId: string
  readonly spaceId: number
}

export type TransferRules = ValuesOf<typeof TRANSFER_RULES.specs> & ValuesOf<typeof ACCOUNT_WAYS.specs>

/** How an account transfers in a space: what its membership says comes before what the account, the space and the site have. */
export async function transferRulesOf(
  { db, settings }: MemberRulesDeps,
  { userId, spaceId }: Membership,
): Promise<TransferRules> {
  const rules = await settings.of(TRANSFER_RULES, { spaceId, userId })
  const ways = await settings.of(ACCOUNT_WAYS, { spaceId, userId })
  const membership = await membershipsStore.of(db, userId, spaceId)
  return { ...rules, ...ways, ...memberTransfer(membership?.transfer ?? null) }
}

/** What an account transfers in a place, and leaves out; inside a group by its values. */
export async function placeRulesOf(
  deps: MemberRulesDeps,
  userId: string,
  { spaceId, groupId }: PlaceIds,
): Promise<ValuesOf<typeof TRANSFER_RULES.specs>> {
  return groupId === 0
    ? transferRulesOf(deps, { userId, spaceId })
    : deps.settings.of(TRANSFER_RULES, { spaceId, groupId })
}

/** The settings that a membership has of its own. */
export function memberTransfer(stored: string | null): Partial<TransferRules> {
  return stored === null ? {} : (JSON.parse(stored) as Partial<TransferRules>)
}

/** Refuses whoever has to use the client. */
export type RequireWeb = (principal: Principal, spaceId: number) => Promise<void>

/**
 * Persons with a session transfer by the browser, whatever program they use it from; programs with a token and clients do not.
 * @throws AppError WEB_TRANSFER_NOT_ALLOWED
 */
export function webTransfers(deps: MemberRulesDeps): RequireWeb {
  return async (principal, spaceId) => {
    if (principal.kind !== 'user') return
    const { transferType } = await transferRulesOf(deps, { userId: principal.id, spaceId })
    if (!canTransferByWeb(transferType)) throw new AppError('WEB_TRANSFER_NOT_ALLOWED')
  }
}
