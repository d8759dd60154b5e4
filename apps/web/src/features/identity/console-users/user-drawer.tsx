import type { AdminUser, AdminUserDetail } from '@godwit/contract'
import { useNavigate } from '@tanstack/react-router'
import { formatExactBytes, formatSize, formatTime } from '../../../lib/formats.ts'
import { grantableOf } from '../../../lib/permission-sets.ts'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { type Fact, Facts } from '../../console-kit/facts.tsx'
import { ObjectDrawer } from '../../console-kit/object-drawer.tsx'
import { useAdministrator, useRight } from '../administration/index.ts'
import type { UserActionName } from './user-actions.ts'
import { UserAccess } from './user-access.tsx'
import { UserState } from './user-state.tsx'
import { ruleValuesOf } from './rule-values.ts'
import styles from './users.module.css'
import { useUser } from './users-source.ts'

export interface UserDrawerProps {
  readonly id: string
  readonly onAsk: (action: UserActionName, user: AdminUser) => void
  readonly onClose: () => void
}

/** One account beside the list. */
export function UserDrawer({ id, onAsk, onClose }: UserDrawerProps) {
  const texts = useTexts()
  const query = useUser(id)
  return (
    <ObjectDrawer
      title={query.data?.account ?? texts('users.one')}
      query={query}
      onClose={onClose}
      renderFoot={(user) => <Foot user={user} onAsk={onAsk} onClose={onClose} />}
    >
      {(user) => (
        <>
          <Facts title={texts('users.tab.general')} facts={generalFacts(user, texts)} />
          <Facts title={texts('users.tab.storage')} facts={storageFacts(user, texts)} />
          <Facts title={texts('users.tab.transfer')} facts={transferFacts(user, texts)} />
          <Facts title={texts('users.tab.security')} facts={securityFacts(user, texts)} />
          <UserAccess key={user.id} user={user} />
        </>
      )}
    </ObjectDrawer>
  )
}

interface FootProps extends Omit<UserDrawerProps, 'id'> {
  readonly user: AdminUserDetail
}

function Foot({ user, onAsk, onClose }: FootProps) {
  const texts = useTexts()
  const navigate = useNavigate()
  const me = useAdministrator()
  const canEdit = useRight('users.edit')
  if (!canEdit) return null
  const canLock = user.id !== me.id && user.standing !== 'super'
  const ask = (action: UserActionName): void => {
    onClose()
    onAsk(action, user)
  }
  return (
    <>
      {canLock && user.invitation !== null && (
        <Button onClick={() => ask('invite-users')}>{texts('users.invite.again')}</Button>
      )}
      {canLock && user.invitation === 'open' && (
        <Button onClick={() => ask('withdraw-invitations')}>{texts('users.invite.withdraw')}</Button>
      )}
      {canLock && user.invitation === null && (
        <Button onClick={() => ask(user.locked ? 'unlock-users' : 'lock-users')}>
          {texts(user.locked ? 'users.unlock' : 'users.lock')}
        </Button>
      )}
      <Button onClick={() => void navigate({ to: '/admin/users/new', search: { copy: user.id } })}>
        {texts('users.copy')}
      </Button>
      <Button kind="solid" onClick={() => void navigate({ to: `/admin/users/${user.id}` })}>
        {texts('users.edit')}
      </Button>
    </>
  )
}

function generalFacts(user: AdminUserDetail, texts: Texts): readonly Fact[] {
  const { name, email, phone, type, source, department, groups, createdAt, lastSignInAt, standing } = user
  return [
    { label: texts('users.state'), value: <UserState {...user} /> },
    { label: texts('users.name'), value: <span translate="no">{name}</span> },
    { label: texts('users.email'), value: email },
    { label: texts('users.phone'), value: phone },
    { label: texts('users.mailSender'), value: texts(`users.mailSender.${user.transfer.mailSender}`) },
    { label: texts('users.type'), value: texts(`users.type.${type}`) },
    ...(source === null ? [] : [{ label: texts('users.source'), value: <span translate="no">{source.name}</span> }]),
    ...(standing === 'user' ? [] : [{ label: texts('users.standing'), value: texts(`users.standing.${standing}`) }]),
    { label: texts('users.department'), value: department?.name },
    {
      label: texts('users.groups'),
      value: new Intl.ListFormat(texts.locale).format(groups.map((group) => group.name)),
    },
    { label: texts('users.created'), value: formatTime(createdAt / 1000) },
    {
      label: texts('users.last-sign-in'),
      value: lastSignInAt === null ? texts('users.never-signed-in') : formatTime(lastSignInAt / 1000),
    },
  ]
}

function storageFacts(user: AdminUserDetail, texts: Texts): readonly Fact[] {
  const { usedBytes, quotaBytes, ownQuotaBytes, home, spaces } = user
  const { locale } = texts
  const quota = quotaBytes === 0 ? texts('users.quota.none') : formatSize(quotaBytes, locale)
  return [
    {
      label: texts('users.usage'),
      value: <span title={formatExactBytes(usedBytes, locale)}>{formatSize(usedBytes, locale, 2)}</span>,
    },
    {
      label: texts('users.quota'),
      value: ownQuotaBytes === null ? texts('users.quota.from-site', { quota }) : quota,
    },
    { label: texts('users.home'), value: home },
    {
      label: texts('users.spaces'),
      value: new Intl.ListFormat(locale).format(spaces.map((space) => nameOfSpace(space, texts))),
    },
    ...listFact(texts('users.forbiddenPaths'), user.rules.forbiddenPaths),
    ...listFact(texts('users.allowedPaths'), user.rules.allowedPaths),
  ]
}

function transferFacts({ rules, speed, weight, transfer }: AdminUserDetail, texts: Texts): readonly Fact[] {
  const { deniedTypes, allowedTypes } = ruleValuesOf(rules)
  const shown = (mbps: number): string => (mbps === 0 ? texts('users.quota.none') : texts('users.mbps', { mbps }))
  return [
    {
      label: texts('users.ways'),
      value: texts(transfer.ways === null ? 'users.as-site' : `users.ways.${transfer.ways}`),
    },
    { label: texts('users.upload-speed'), value: shown(speed.uploadMbps) },
    { label: texts('users.download-speed'), value: shown(speed.downloadMbps) },
    { label: texts('users.weight'), value: weight === null ? texts('users.weight.inherited') : String(weight) },
    ...(speed.periods.length === 0
      ? []
      : [{ label: texts('users.periods'), value: texts('users.periods.count', { count: speed.periods.length }) }]),
    ...listFact(texts('users.deniedTypes'), deniedTypes === '' ? [] : [deniedTypes]),
    ...listFact(texts('users.allowedTypes'), allowedTypes === '' ? [] : [allowedTypes]),
    { label: texts('users.new-only'), value: texts(rules.uploadNewOnly ? 'console.yes' : 'console.no') },
    ...filterFacts(transfer, texts),
  ]
}

/** What of the filters is the account's own. */
function filterFacts(transfer: AdminUserDetail['transfer'], texts: Texts): readonly Fact[] {
  const { ignorePatterns, ignoreAboveMb, skipSameName, sync } = transfer
  return [
    ...listFact(
      texts('users.ignorePatterns'),
      ignorePatterns === null || ignorePatterns === '' ? [] : [ignorePatterns],
    ),
    ...(ignoreAboveMb === null || ignoreAboveMb === 0
      ? []
      : [{ label: texts('users.ignoreAboveMb'), value: texts('users.mb', { mb: ignoreAboveMb }) }]),
    ...(skipSameName === null
      ? []
      : [{ label: texts('users.skipSameName'), value: texts(skipSameName ? 'console.yes' : 'console.no') }]),
    ...(sync === null ? [] : [{ label: texts('users.sync'), value: texts(`users.sync.${sync}`) }]),
  ]
}

/** A list of the administrator's, one entry a line; nothing for an empty one. */
function listFact(label: string, entries: readonly string[]): readonly Fact[] {
  if (entries.length === 0) return []
  return [
    {
      label,
      value: (
        <span className={styles['entries']} translate="no">
          {entries.join('\n')}
        </span>
      ),
    },
  ]
}

function securityFacts(
  { permission, mustReset, validFrom, validUntil, loginAddresses }: AdminUserDetail,
  texts: Texts,
): readonly Fact[] {
  const granted = grantableOf(permission)
  return [
    {
      label: texts('users.permissions'),
      value:
        granted.length === 0 ? (
          texts('users.permissions.none')
        ) : (
          <span className={styles['tags']}>
            {granted.map((each) => (
              <Tag key={each}>{texts(`permission.${each}`)}</Tag>
            ))}
          </span>
        ),
    },
    { label: texts('users.must-reset.due'), value: texts(mustReset ? 'console.yes' : 'console.no') },
    ...listFact(texts('users.loginAddresses'), loginAddresses === '' ? [] : [loginAddresses]),
    ...(validFrom === null ? [] : [{ label: texts('users.valid-from'), value: formatTime(validFrom / 1000) }]),
    ...(validUntil === null ? [] : [{ label: texts('users.valid-until'), value: formatTime(validUntil / 1000) }]),
  ]
}
