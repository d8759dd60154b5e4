import { groupRoutes, type GroupEntry } from '@godwit/contract'
import type { Settings } from '../../foundation/settings/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { FilesDeps } from '../files/index.ts'
import type { Quotas } from '../quotas/index.ts'
import { ownSpacesOf, requireMember } from '../spaces/index.ts'
import { groupPlaces } from './group-place.ts'
import { groupsOf, type GroupReader } from './groups.service.ts'

export interface GroupsFeatureDeps {
  readonly settings: Settings
  readonly quotas: Quotas
  readonly files: FilesDeps
}

export interface GroupsApi {
  /** The groups that somebody is a member of, as the wire has them. */
  readonly groupsOf: (reader: GroupReader) => Promise<GroupEntry[]>
}

export function groupsFeature({ db }: Kernel, { settings, quotas, files }: GroupsFeatureDeps): FeatureWith<GroupsApi> {
  files.access.place('group', groupPlaces({ db, storages: files.storages }))
  const api: GroupsApi = { groupsOf: (reader) => groupsOf({ db, settings, quotas }, reader) }
  return defineFeature({
    name: 'groups',
    endpoints: [
      endpoint(groupRoutes.list, async ({ principal }, { query }) => {
        const { cap } = accountOf(principal)
        const spaceId = query.spaceId ?? (await ownSpacesOf({ db, settings }, principal.id)).currentSpaceId
        requireMember(accountOf(principal), spaceId)
        return { groups: await api.groupsOf({ userId: principal.id, spaceId, cap }) }
      }),
    ],
    api,
  })
}
