import { groupsStore } from '../../identity/groups/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Tx } from '../../kernel/db/index.ts'
import { followedRules, type Moved } from './followed-rules.policy.ts'
import type { PlaceIds } from './places.ts'
import type { RuleTexts } from './rules.ts'

export interface MovedEntry extends Moved, Pick<PlaceIds, 'groupId'> {
  /** Whose personal files they are, when they are in no group. */
  readonly userId: string
}

/**
 * Lets the rules of everybody who has the place follow an entry, in the transaction that books its move.
 * @returns the accounts whose rules changed
 */
export async function followInRules(tx: Tx, { userId, groupId, ...moved }: MovedEntry): Promise<readonly string[]> {
  const changed: string[] = []
  for (const { id, file_rules: text } of await ruledAccounts(tx, { userId, groupId })) {
    const rules = text === null ? undefined : followedRules(JSON.parse(text) as RuleTexts, moved)
    if (rules === undefined) continue
    await usersStore.updateMany(tx, [id], { file_rules: JSON.stringify(rules) })
    changed.push(id)
  }
  return changed
}

async function ruledAccounts(tx: Tx, { userId, groupId }: Pick<MovedEntry, 'userId' | 'groupId'>) {
  if (groupId > 0) return groupsStore.ruledMembers(tx, groupId)
  const owner = await usersStore.byId(tx, userId)
  return owner === undefined ? [] : [owner]
}
