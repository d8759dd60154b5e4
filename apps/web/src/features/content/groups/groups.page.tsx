import type { GroupEntry } from '@godwit/contract'
import { Link } from '@tanstack/react-router'
import { TriangleAlert, Users } from 'lucide-react'
import { formatMinute, formatSize, formatTimeExactly } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { StatePanel } from '../../../ui/state-panel.tsx'
import styles from './groups.module.css'
import { useGroups } from './groups-query.ts'

/** A card for each group that the signed-in person is a member of. */
export function GroupsPage() {
  const texts = useTexts()
  return (
    <section className={styles['page']} aria-labelledby="groups-title">
      <h1 className={styles['heading']} id="groups-title">
        {texts('menu.group')}
      </h1>
      <Groups />
    </section>
  )
}

function Groups() {
  const texts = useTexts()
  const { data, error, refetch } = useGroups()
  if (data === undefined) return error === null ? <Skeleton /> : <Fault error={error} onRetry={() => void refetch()} />
  if (data.length === 0) {
    return (
      <div className={styles['middle']}>
        <StatePanel icon={<Users size={28} />} title={texts('groups.empty.title')} text={texts('groups.empty.text')} />
      </div>
    )
  }
  return (
    <ul className={styles['cards']}>
      {data.map((group) => (
        <li key={group.groupId}>
          <Card {...group} />
        </li>
      ))}
    </ul>
  )
}

function Card({ groupId, groupName, userHomeSize, create_time: created }: GroupEntry) {
  const texts = useTexts()
  return (
    <Link className={styles['card']} to={`/group/detail/${groupId}`} data-testid="group">
      <Users className={styles['icon']} size={24} aria-hidden="true" />
      <h2 className={styles['name']} title={groupName} translate="no">
        {groupName}
      </h2>
      <dl className={styles['facts']}>
        <dt>{texts('groups.size')}</dt>
        <dd>{userHomeSize === 0 ? texts('groups.unlimited') : formatSize(userHomeSize, texts.locale)}</dd>
        <dt>{texts('groups.created')}</dt>
        <dd>
          <time dateTime={new Date(created * 1000).toISOString()} title={formatTimeExactly(created, texts.locale)}>
            {formatMinute(created)}
          </time>
        </dd>
      </dl>
    </Link>
  )
}

/** Cards on their way; not shown in the first 200 ms. */
function Skeleton() {
  const texts = useTexts()
  return (
    <div className={classNames(styles['cards'], styles['skeleton'])} role="status" aria-label={texts('app.loading')}>
      <div className={styles['card']} />
      <div className={styles['card']} />
      <div className={styles['card']} />
    </div>
  )
}

export function Fault({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const texts = useTexts()
  return (
    <div className={styles['middle']}>
      <StatePanel
        kind="error"
        icon={<TriangleAlert size={28} />}
        title={texts('groups.error')}
        text={texts.failure(error)}
        reference={texts.reference(error)}
        actions={
          <Button kind="solid" onClick={onRetry}>
            {texts('common.retry')}
          </Button>
        }
      />
    </div>
  )
}
