import { Link, useParams } from '@tanstack/react-router'
import { UserX } from 'lucide-react'
import { useMemo } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { FilesPage, FilesServicesProvider, useFilesServices } from '../files/index.ts'
import styles from './groups.module.css'
import { useGroups } from './groups-query.ts'
import { Fault } from './groups.page.tsx'

/** The files of one group, as the page of one's own files shows them. */
export function GroupPage() {
  const { groupId }: { readonly groupId?: string } = useParams({ strict: false })
  const services = useFilesServices()
  const { data, error, isFetching, refetch } = useGroups()
  const group = data?.find((each) => String(each.groupId) === groupId)
  const inGroup = useMemo(
    () => group && { ...services, place: { ...services.place, groupId: group.groupId }, group },
    [services, group],
  )
  if (inGroup !== undefined) {
    return (
      <FilesServicesProvider value={inGroup}>
        <FilesPage key={groupId} />
      </FilesServicesProvider>
    )
  }
  // Whoever was added a moment ago is in the answer that is on its way.
  if (isFetching) return <div className={styles['page']} aria-busy="true" />
  return error === null ? <NoGroup /> : <Fault error={error} onRetry={() => void refetch()} />
}

function NoGroup() {
  const texts = useTexts()
  return (
    <div className={styles['middle']}>
      <StatePanel
        icon={<UserX size={28} />}
        title={texts('groups.gone.title')}
        text={texts('groups.gone.text')}
        actions={<Link to="/group">{texts('groups.gone.back')}</Link>}
      />
    </div>
  )
}
