import type { AdminUser } from '@godwit/contract'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import type { Texts } from '../../../lib/texts.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import type { ListColumn } from '../../console-kit/list-page.tsx'
import { accountColumns } from '../member-lists/index.ts'
import { usageTone } from './usage.ts'
import { UserState } from './user-state.tsx'
import styles from './users.module.css'

export function userColumns(texts: Texts): ReadonlyArray<ListColumn<AdminUser>> {
  const { account, name } = accountColumns(texts)
  return [
    { ...account, isSortable: true, width: 'minmax(130px, 1.2fr)' },
    { ...name, isSortable: true },
    {
      id: 'state',
      header: texts('users.state'),
      width: '100px',
      text: (user) =>
        user.invitation !== null && !user.locked
          ? texts(`users.invited.${user.invitation}`)
          : texts(user.locked ? 'users.state.locked' : user.online ? 'users.state.online' : 'users.state.offline'),
      cell: (user) => <UserState {...user} />,
    },
    {
      id: 'usage',
      header: texts('users.usage'),
      width: '130px',
      text: ({ usedBytes }) => String(usedBytes),
      cell: (user) => <Usage {...user} texts={texts} />,
    },
    {
      id: 'department',
      header: texts('users.department'),
      width: 'minmax(124px, 1fr)',
      text: ({ department }) => department?.name ?? '',
      cell: ({ department }) => <span translate="no">{department?.name ?? '-'}</span>,
    },
    {
      id: 'groups',
      header: texts('users.groups'),
      width: 'minmax(130px, 1.4fr)',
      text: ({ groups }) => groups.map(({ name }) => name).join('; '),
      cell: ({ groups }) => (
        <span className={styles['few']} title={namesOf(groups, texts)} translate="no">
          {namesOf(groups, texts)}
        </span>
      ),
    },
    {
      id: 'lastSignIn',
      header: texts('users.last-sign-in'),
      isSortable: true,
      width: TIME_WIDTH,
      text: ({ lastSignInAt }) => formatTime((lastSignInAt ?? 0) / 1000),
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? texts('users.never-signed-in') : formatTime(lastSignInAt / 1000),
    },
    ...extraColumns(texts),
  ]
}

/** Shown to those who choose them. */
function extraColumns(texts: Texts): ReadonlyArray<ListColumn<AdminUser>> {
  return [
    {
      id: 'email',
      header: texts('users.email'),
      isSortable: true,
      isExtra: true,
      width: 'minmax(140px, 1fr)',
      text: ({ email }) => email,
      cell: ({ email }) => <span translate="no">{email === '' ? '-' : email}</span>,
    },
    {
      id: 'phone',
      header: texts('users.phone'),
      isExtra: true,
      width: '130px',
      text: ({ phone }) => phone,
      cell: ({ phone }) => (phone === '' ? '-' : phone),
    },
    {
      id: 'type',
      header: texts('users.type'),
      isExtra: true,
      width: '110px',
      text: ({ type, source }) => source?.name ?? texts(`users.type.${type}`),
      cell: ({ type, source }) =>
        source === null ? texts(`users.type.${type}`) : <span translate="no">{source.name}</span>,
    },
    {
      id: 'created',
      header: texts('users.created'),
      isSortable: true,
      isExtra: true,
      width: TIME_WIDTH,
      text: ({ createdAt }) => formatTime(createdAt / 1000),
      cell: ({ createdAt }) => formatTime(createdAt / 1000),
    },
  ]
}

function namesOf(groups: AdminUser['groups'], texts: Texts): string {
  return groups.length === 0 ? '-' : new Intl.ListFormat(texts.locale).format(groups.map(({ name }) => name))
}

interface UsageProps extends Pick<AdminUser, 'account' | 'usedBytes' | 'quotaBytes'> {
  readonly texts: Texts
}

function Usage({ account, usedBytes, quotaBytes, texts }: UsageProps) {
  const used = formatSize(usedBytes, texts.locale)
  if (quotaBytes === 0) return used
  const share = usedBytes / quotaBytes
  return (
    <span className={styles['usage']}>
      <span>{texts('users.usage.of', { used, quota: formatSize(quotaBytes, texts.locale) })}</span>
      <ProgressBar label={texts('users.usage.label', { account })} value={share} tone={usageTone(share)} />
    </span>
  )
}
