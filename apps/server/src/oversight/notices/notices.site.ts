import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import type { Notices } from './notices.service.ts'

/** Notices about the site: what ends soon, to administrators, and what it did by itself, to those whom it concerns. */
export function siteNotices(notices: Notices, db: Db): Subscriptions {
  return {
    'storage.cleaned': {
      subscriber: 'notices.files-cleaned',
      handle: ({ storageId, userId, files, bytes, at }) => {
        const eventKey = `cleaned:${storageId}:${userId}:${at}`
        return notices.notify({ userId, kind: 'files-cleaned', facts: { files, bytes }, eventKey })
      },
    },
    'certificate.expiring': {
      subscriber: 'notices.certificate-expiring',
      async handle({ certificateId, name, expiresAt, days }) {
        const facts = { name: oneLine(name), expiresAt }
        for (const userId of await administratorsOf(db)) {
          const eventKey = `certificate:${certificateId}:${days}:${userId}`
          await notices.notify({ userId, kind: 'certificate-expiring', facts, eventKey })
        }
      },
    },
    'licence.expiring': {
      subscriber: 'notices.licence-expiring',
      async handle({ licenceId, expiresAt, days }) {
        for (const userId of await administratorsOf(db)) {
          const eventKey = `licence:${licenceId}:${days}:${userId}`
          await notices.notify({ userId, kind: 'licence-expiring', facts: { expiresAt, days }, eventKey })
        }
      },
    },
  }
}

export async function administratorsOf(db: Db): Promise<string[]> {
  return (await usersStore.list(db)).filter((user) => user.is_admin === 1).map(({ id }) => id)
}
