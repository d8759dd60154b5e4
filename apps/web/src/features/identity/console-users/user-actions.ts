import { routes } from '@godwit/contract/table'
import { Lock, LockOpen, MailPlus, MailX, Trash2 } from 'lucide-react'
import type { Api } from '../../../lib/http.ts'
import type { Texts } from '../../../lib/texts.tsx'
import type { BulkAction, BulkResult } from '../../console-kit/bulk.ts'
import { fateOf, filesQuestion } from './files-question.ts'
import { chosenUsers } from './users-source.ts'

export type UserActionName = 'lock-users' | 'unlock-users' | 'remove-users' | 'invite-users' | 'withdraw-invitations'

/** What can be done with accounts, one or ten thousand. @param account names the only one */
export function userActions(api: Api, texts: Texts, account = ''): Readonly<Record<UserActionName, BulkAction>> {
  return {
    'lock-users': {
      name: 'lock-users',
      label: 'users.lock',
      icon: Lock,
      title: (count) => texts('users.lock.title', { count, account }),
      text: (count) => texts('users.lock.text', { count }),
      verb: texts('users.lock'),
      done: (count) => texts('users.lock.done', { count }),
      run: async (chosen) => resultOf(await api.call(routes.adminUsers.lock, { body: chosenUsers(chosen) })),
    },
    'unlock-users': {
      name: 'unlock-users',
      label: 'users.unlock',
      icon: LockOpen,
      title: (count) => texts('users.unlock.title', { count, account }),
      text: (count) => texts('users.unlock.text', { count }),
      verb: texts('users.unlock'),
      done: (count) => texts('users.unlock.done', { count }),
      run: async (chosen) => resultOf(await api.call(routes.adminUsers.unlock, { body: chosenUsers(chosen) })),
    },
    'invite-users': {
      name: 'invite-users',
      label: 'users.invite.again',
      icon: MailPlus,
      title: (count) => texts('users.invite.again.title', { count, account }),
      text: () => texts('users.invite.again.text'),
      verb: texts('users.invite.send'),
      done: (count) => texts('users.invite.done', { count }),
      run: async (chosen) => resultOf(await api.call(routes.adminUsers.invite, { body: chosenUsers(chosen) })),
    },
    'withdraw-invitations': {
      name: 'withdraw-invitations',
      label: 'users.invite.withdraw',
      icon: MailX,
      title: (count) => texts('users.invite.withdraw.title', { count, account }),
      text: () => texts('users.invite.withdraw.text'),
      verb: texts('users.invite.withdraw'),
      done: (count) => texts('users.invite.withdrawn', { count }),
      run: async (chosen) =>
        resultOf(await api.call(routes.adminUsers.withdrawInvitation, { body: chosenUsers(chosen) })),
    },
    'remove-users': {
      name: 'remove-users',
      label: 'users.remove',
      icon: Trash2,
      tone: 'danger',
      title: (count) => texts('users.remove.title', { count, account }),
      text: (count) => texts('users.remove.text', { count }),
      verb: texts('users.remove'),
      done: (count) => texts('users.remove.done', { count }),
      ask: filesQuestion(texts),
      run: async (chosen, values) =>
        resultOf(await api.call(routes.adminUsers.remove, { body: { ...chosenUsers(chosen), ...fateOf(values) } })),
    },
  }
}

export interface BulkAnswer {
  readonly changed: number
  readonly failed: ReadonlyArray<{ readonly account: string; readonly message: string }>
}

export function resultOf({ changed, failed }: BulkAnswer): BulkResult {
  return { changed, failed: failed.map(({ account, message }) => ({ name: account, reason: message })) }
}
