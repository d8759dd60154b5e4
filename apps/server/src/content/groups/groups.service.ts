import { wirePermission, type GroupEntry } from '@godwit/contract'
import type { Settings } from '../../foundation/settings/index.ts'
import { groupsStore, type Membership } from '../../identity/groups/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { bucketOf, type Quotas } from '../quotas/index.ts'
import { TRANSFER_RULES } from '../spaces/index.ts'

export interface GroupsViewDeps {
  readonly db: Db
  readonly settings: Settings
  readonly quotas: Pick<Quotas, 'shownUsageOf'>
}

export interface GroupReader {
  readonly userId: string
  readonly spaceId: number
  /** Flags that an API token stays within; undefined for a person. */
  readonly cap?: number | undefined
}

/** The groups of a space that somebody is a member of, by name, with the rules that hold inside each. */
export async function groupsOf(deps: GroupsViewDeps, { cap, ...reader }: GroupReader): Promise<GroupEntry[]> {
  const memberships = await groupsStore.membershipsOf(deps.db, reader)
  return Promise.all(memberships.map((membership) => present(deps, membership, cap)))
}

async function present({ settings, quotas }: GroupsViewDeps, group: Membership, cap = ~0): Promise<GroupEntry> {
  const { usedBytes } = await quotas.shownUsageOf(bucketOf({ userId: '', groupId: group.id }))
  return {
    groupId: group.id,
    groupName: group.name,
    userGroupPermission: wirePermission(group.permission & cap),
    userHomeSize: group.quota_bytes,
    usedBytes,
    create_time: Math.floor(group.created_at / 1000),
    ...(await settings.of(TRANSFER_RULES, { spaceId: group.space_id, groupId: group.id })),
  }
}
