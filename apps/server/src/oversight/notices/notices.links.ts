import { groupsStore } from '../../identity/groups/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import type { Notices } from './notices.service.ts'

/** Notices about links: to those whom something is shared with, and to owners whose links end soon. */
export function linkNotices(notices: Notices, db: Db): Subscriptions {
  return {
    'link.shared': {
      subscriber: 'notices.link-shared',
      async handle({ linkId, userId, account, name, userIds, groupIds }) {
        const readers = new Set(userIds)
        for (const groupId of groupIds)
          for (const { user_id: id } of await groupsStore.rightsOf(db, groupId)) readers.add(id)
        readers.delete(userId)
        const facts = { account: oneLine(account), name: oneLine(name) }
        // One notice per link and person, however often somebody is taken off and added again.
        for (const reader of readers)
          await notices.notify({ userId: reader, kind: 'link-shared', facts, eventKey: `link:${linkId}:${reader}` })
      },
    },
    'link.reminded': {
      subscriber: 'notices.link-reminder',
      async handle({ linkId, account, name, userIds, at }) {
        const facts = { account: oneLine(account), name: oneLine(name) }
        for (const userId of userIds) {
          const eventKey = `link-reminder:${linkId}:${userId}:${at}`
          await notices.notify({ userId, kind: 'link-reminder', facts, eventKey })
        }
      },
    },
    'link.expiring': {
      subscriber: 'notices.link-expiring',
      handle: ({ linkId, userId, name, expiresAt }) => {
        const facts = { name: oneLine(name), expiresAt }
        return notices.notify({
          userId,
          kind: 'link-expiring',
          facts,
          eventKey: `link-expiring:${linkId}:${expiresAt}`,
        })
      },
    },
  }
}
